//! Rekognition's errors: nearly all of them 400, some with `Message`, some with `message`, some with
//! nothing but a type.

use serde_json::{Value, json};

use super::faults::kinds;
use super::reply::Reply;

kinds! {
    /// How the recogniser fails.
    pub(super) enum RekognitionFault {
        AccessDenied = "access-denied",
        ImageTooLarge = "image-too-large",
        InvalidImageFormat = "invalid-image-format",
        InvalidParameter = "invalid-parameter",
        ValidationTooLarge = "validation-too-large",
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

/// What the service says about an image, a limit or itself.
pub(super) const TOO_LARGE: &str = "1 validation error detected: Value 'java.nio.HeapByteBuffer[pos=0 lim=5357237 cap=5357237]' at 'image.bytes' failed to satisfy constraint: Member must have length less than or equal to 5242880";
const MISMATCH: &str = "The request signature we calculated does not match the signature you provided. Check your AWS Secret Access Key and signing method. Consult the service documentation for details.";

pub(super) fn reply(fault: RekognitionFault, id: &str) -> Reply {
    let service = |kind: &str, message: &str| service_error(kind, message, id);
    match fault {
        RekognitionFault::AccessDenied => service(
            "AccessDeniedException",
            "User: arn:aws:iam::123456789012:user/sandbox is not authorized to perform: rekognition:RecognizeCelebrities because no identity-based policy allows the rekognition:RecognizeCelebrities action",
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
        RekognitionFault::ThroughputExceeded => service(
            "ProvisionedThroughputExceededException",
            "Provisioned Rate exceeded.",
        ),
        RekognitionFault::Throttling => {
            // Some front ends put the namespace before the type.
            let kind = "com.amazonaws.rekognition#ThrottlingException";
            let message = "Slow down; sudden increase in rate of requests.";
            answer(400, &json!({"__type": kind, "Message": message}), id)
        }
        RekognitionFault::Throttling500 => {
            let body = json!({"__type": "ThrottlingException", "Message": "Service Unavailable"});
            answer(500, &body, id)
        }
        RekognitionFault::Internal => {
            // And some put the type into a header alone.
            answer(500, &json!({"message": "Internal server error"}), id).with_named(
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
            answer(400, &json!({"__type": "SerializationException"}), id)
        }
        RekognitionFault::UnknownOperation => {
            answer(400, &json!({"__type": "UnknownOperationException"}), id)
        }
    }
}

pub(super) fn unknown_client(id: &str) -> Reply {
    let message = "The security token included in the request is invalid.";
    auth_error("UnrecognizedClientException", message, id)
}

pub(super) fn service_error(kind: &str, message: &str, id: &str) -> Reply {
    answer(
        400,
        &json!({"__type": kind, "Code": kind, "Logref": id, "Message": message}),
        id,
    )
}

pub(super) fn auth_error(kind: &str, message: &str, id: &str) -> Reply {
    answer(400, &json!({"__type": kind, "message": message}), id)
}

pub(super) fn missing_token(id: &str) -> Reply {
    let text = format!(
        "<MissingAuthenticationTokenException>\n  <Message>Missing Authentication Token</Message>\n</MissingAuthenticationTokenException>\n<!-- {id} -->\n"
    );
    Reply::new(403, "application/xml", text.into_bytes()).with_named("x-amzn-requestid", id)
}

pub(super) fn answer(status: u16, body: &Value, id: &str) -> Reply {
    Reply::new(
        status,
        "application/x-amz-json-1.1",
        body.to_string().into_bytes(),
    )
    .with_named("x-amzn-requestid", id)
}
