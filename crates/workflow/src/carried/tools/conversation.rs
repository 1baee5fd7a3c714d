//! One exchange with a server of tools, over the network.

use mcp::{CallFailure, Exchange, Reply, Step};
use platform::{IncomingBody as _, Network, WriteError, timeout};

/// The longest wait for what is sent beside an exchange, in milliseconds.
pub(super) const ASIDE_MS_MAX: u64 = 5_000;
/// The longest silence of a stream that was taken up again, in milliseconds; then it is asked for
/// anew. Some servers send what comes later to the stream that broke, and give it when asked.
const SILENCE_MS_MAX: u64 = 15_000;

/// Asks a server until there is an answer, or none can come. Dropping the future ends the exchange
/// and closes its connection.
///
/// `note` is called before each request is sent and after each piece of an answer, so that what is
/// known of the exchange can be written down first; where it fails, nothing more is sent.
pub async fn converse<N: Network>(
    network: &N,
    exchange: &mut Exchange,
    mut note: impl AsyncFnMut(&mut Exchange) -> Result<(), WriteError>,
) -> Result<Result<Reply, CallFailure>, WriteError> {
    let mut step = exchange.begin();
    let mut body: Option<N::Body> = None;
    loop {
        if let Step::Done(result) = step {
            return Ok(result);
        }
        note(exchange).await?;
        while let Some(aside) = exchange.aside() {
            // Whatever comes of it, the answer is what is waited for.
            let _ = timeout(network, ASIDE_MS_MAX, network.open(aside)).await;
        }
        step = match step {
            Step::Done(result) => return Ok(result),
            Step::Pause(ms) => {
                network.sleep(ms).await;
                exchange.go_on()
            }
            Step::Send(request) => {
                // The rest of an answer that is not read any more is not waited for.
                body = None;
                match network.open(request).await {
                    Err(_) => exchange.take_nothing(),
                    Ok(answer) => {
                        let (head, coming) = answer.into_parts();
                        body = Some(coming);
                        exchange.take_head(head.status, &head.headers)
                    }
                }
            }
            Step::Read => match body.as_mut() {
                None => exchange.take_end(false),
                Some(coming) => read_on(network, exchange, coming).await,
            },
        };
    }
}

/// Reads the next piece of an answer.
async fn read_on<N: Network>(network: &N, exchange: &mut Exchange, body: &mut N::Body) -> Step {
    let next = body.next();
    let next = if exchange.is_taken_up() {
        let Some(next) = timeout(network, SILENCE_MS_MAX, next).await else {
            return exchange.go_on();
        };
        next
    } else {
        next.await
    };
    match next {
        Some(Ok(piece)) => exchange.take_bytes(&piece),
        Some(Err(_)) => exchange.take_end(false),
        None => exchange.take_end(true),
    }
}
