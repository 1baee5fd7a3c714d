//! Rekognition's errors. Nearly all have status 400; some have a `Message`, some a `message`, some only a type.

use serde_json::json;

use super::super::fault_kinds::fault_kinds;
use super::super::reply::Reply;
use super::errors::{
    TOO_LARGE, auth_error, missing_token, reply as reply_with, service_error, unknown_client,
};

fault_kinds! {
    /// A fault that only the recogniser has.
    pub(crate) enum RekognitionFault {
        AccessDenied = "access-denied",
        /// An error that only has a type and no message.
        AccessDeniedBare = "access-denied-bare",
        SubscriptionRequired = "subscription-required",
        OptInRequired = "opt-in-required",
        ImageTooLarge = "image-too-large",
        InvalidImageFormat = "invalid-image-format",
        InvalidParameter = "invalid-parameter",
        InvalidS3Object = "invalid-s3-object",
        ValidationTooLarge = "validation-too-large",
        ParameterTooLarge = "parameter-too-large",
        ThroughputExceeded = "throughput-exceeded",
        Throttling = "throttling",
        Throttling500 = "throttling-500",
        Internal = "internal",
        SignatureExpired = "signature-expired",
        SignatureMismatch = "signature-mismatch",
        UnrecognizedClient = "unrecognized-client",
        ExpiredToken = "expired-token",
        MissingToken = "missing-token-403-xml",
        Serialization = "serialization",
        UnknownOperation = "unknown-operation",
    }
}

const MISMATCH: &str = "The request signature we calculated does not match the signature you provided. Check your AWS Secret Access Key and signing method. Consult the service documentation for details.";

pub(crate) fn reply(fault: RekognitionFault, id: &str) -> Reply {
    let service = |kind: &str, message: &str| service_error(kind, message, id);
    match fault {
        RekognitionFault::AccessDenied => service(
            "AccessDeniedException",
            "User: arn:aws:iam::123456789012:user/sandbox is not authorized to perform: rekognition:RecognizeCelebrities because no identity-based policy allows the rekognition:RecognizeCelebrities action",
        ),
        RekognitionFault::AccessDeniedBare => {
            reply_with(400, &json!({"__type": "AccessDeniedException"}), id)
        }
        RekognitionFault::SubscriptionRequired => auth_error(
            "SubscriptionRequiredException",
            "The AWS Access Key Id needs a subscription for the service",
            id,
        ),
        RekognitionFault::OptInRequired => auth_error(
            "OptInRequired",
            "The AWS Access Key Id needs a subscription for the service",
            id,
        ),
        RekognitionFault::ImageTooLarge => {
            service("ImageTooLargeException", "Image size is too large.")
        }
        RekognitionFault::InvalidImageFormat => service(
            "InvalidImageFormatException",
            "Request has invalid image format",
        ),
        RekognitionFault::InvalidParameter => service(
            "InvalidParameterException",
            "Request has invalid parameters",
        ),
        RekognitionFault::ValidationTooLarge => auth_error("ValidationException", TOO_LARGE, id),
        RekognitionFault::ParameterTooLarge => service("InvalidParameterException", TOO_LARGE),
        RekognitionFault::InvalidS3Object => service(
            "InvalidS3ObjectException",
            "Unable to get object metadata from S3. Check object key, region and/or access permissions.",
        ),
        RekognitionFault::ThroughputExceeded => service(
            "ProvisionedThroughputExceededException",
            "Provisioned Rate exceeded.",
        ),
        RekognitionFault::Throttling => {
            // Some front ends of AWS put the namespace before the type.
            let kind = "com.amazonaws.rekognition#ThrottlingException";
            let message = "Slow down; sudden increase in rate of requests.";
            reply_with(400, &json!({"__type": kind, "Message": message}), id)
        }
        RekognitionFault::Throttling500 => {
            let body = json!({"__type": "ThrottlingException", "Message": "Service Unavailable"});
            reply_with(500, &body, id)
        }
        RekognitionFault::Internal => {
            // Other front ends of AWS only state the type in a header.
            reply_with(500, &json!({"message": "Internal server error"}), id).with_named(
                "x-amzn-errortype",
                "InternalServerError:http://internal.amazon.com/coral/com.amazon.coral.service/",
            )
        }
        RekognitionFault::SignatureExpired => auth_error(
            "InvalidSignatureException",
            "Signature expired: 20190430T075732Z is now earlier than 20190430T105409Z (20190430T105909Z - 5 min.)",
            id,
        ),
        RekognitionFault::SignatureMismatch => {
            auth_error("InvalidSignatureException", MISMATCH, id)
        }
        RekognitionFault::UnrecognizedClient => unknown_client(id),
        RekognitionFault::ExpiredToken => auth_error(
            "ExpiredTokenException",
            "The security token included in the request is expired",
            id,
        ),
        RekognitionFault::MissingToken => missing_token(id),
        RekognitionFault::Serialization => {
            reply_with(400, &json!({"__type": "SerializationException"}), id)
        }
        RekognitionFault::UnknownOperation => {
            reply_with(400, &json!({"__type": "UnknownOperationException"}), id)
        }
    }
}
