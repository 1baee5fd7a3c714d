//! A run's calls under way: carried out at the same time, their answers taken in order.

use std::collections::BTreeMap;
use std::rc::Rc;

use futures::StreamExt as _;
use futures::future::{FutureExt as _, LocalBoxFuture};
use futures::stream::FuturesUnordered;

use crate::investigation::{Action, Answer, CommandId, LostCall};
use crate::journal::{Course, Entry, Open};
use crate::session::calls::{Gate, IMAGE_BYTES_MAX, Outlay, Performed, Photo, Sending, perform};
use crate::session::effects::{Effects, WriteError};
use crate::session::settings::Providers;

use super::journal_writer::Keeper;

/// Photos that are with the recogniser at the same time have so many bytes at most, or are one: on
/// its way up a photo is in memory three times, and an isolate has 128 MB.
const RECOGNISED_BYTES_MAX: usize = 6 * 1024 * 1024;

/// A call that came to its end.
pub(super) type Done = (Open, Result<Performed, WriteError>);

/// The calls of one run.
pub(super) struct UnderWay<'run, E> {
    effects: &'run E,
    providers: &'run Providers,
    keeper: &'run Keeper<'run, E>,
    calls: FuturesUnordered<LocalBoxFuture<'run, Done>>,
    gate: Rc<Gate>,
    begun: BTreeMap<CommandId, Begun>,
    arrived: BTreeMap<CommandId, Answer>,
    /// The bytes of fetched photos, until they are recognised.
    photos: BTreeMap<CommandId, Vec<u8>>,
    /// Since when a call waits for room, in milliseconds since 1970: that is the run's time too.
    waits_since_ms: BTreeMap<CommandId, u64>,
}

/// A call that was begun and is not answered.
struct Begun {
    outlay: Rc<Outlay>,
    /// Of the photo that it sends.
    bytes: usize,
}

impl<'run, E: Effects> UnderWay<'run, E> {
    /// Nothing is under way; these answers have arrived.
    pub(super) fn new(
        effects: &'run E,
        providers: &'run Providers,
        keeper: &'run Keeper<'run, E>,
        arrived: Vec<Answer>,
    ) -> Self {
        let arrived = arrived.into_iter();
        Self {
            effects,
            providers,
            keeper,
            calls: FuturesUnordered::new(),
            gate: Rc::default(),
            begun: BTreeMap::new(),
            arrived: arrived.map(|answer| (answer.command, answer)).collect(),
            photos: BTreeMap::new(),
            waits_since_ms: BTreeMap::new(),
        }
    }

    /// Whether this command was begun or is answered.
    pub(super) fn has(&self, command: CommandId) -> bool {
        self.begun.contains_key(&command) || self.arrived.contains_key(&command)
    }

    /// Whether no call is under way.
    pub(super) fn is_empty(&self) -> bool {
        self.begun.is_empty()
    }

    /// Begins a call, unless its photo has to wait for room.
    pub(super) fn begin(&mut self, open: &Open, course: &Course) {
        let id = open.command.id;
        let bytes = self.bytes_of(&open.command.action);
        let now_ms = self.effects.now_ms();
        if !self.has_room(bytes) {
            self.waits_since_ms.entry(id).or_insert(now_ms);
            return;
        }
        let waited_ms = self.waits_since_ms.remove(&id);
        let waited_ms = waited_ms.map_or(0, |since_ms| now_ms.saturating_sub(since_ms));
        let photo = self.take_photo(&open.command.action, course);
        let outlay = Rc::new(Outlay::default());
        let begun = Begun {
            outlay: outlay.clone(),
            bytes,
        };
        self.begun.insert(id, begun);
        let (effects, providers, keeper) = (self.effects, self.providers, self.keeper);
        let mut open = open.clone();
        let left_ms = &mut open.command.time_left_ms;
        *left_ms = left_ms.saturating_sub(waited_ms);
        let gate = self.gate.clone();
        let call = async move {
            let intend = |attempt| keeper.keep(&Entry::intent(id, attempt, &open.asked));
            let sending = Sending::new(&outlay, &gate, &intend);
            let performed = perform(effects, providers, &open.command, photo, sending).await;
            (open, performed)
        };
        self.calls.push(call.boxed_local());
    }

    /// Of the photo that an action sends. One that has to be fetched again may be as long as any.
    fn bytes_of(&self, action: &Action) -> usize {
        match action {
            Action::Recognise { fetched_by } => {
                let photo = self.photos.get(fetched_by);
                photo.map_or(IMAGE_BYTES_MAX, Vec::len)
            }
            Action::Search { .. } | Action::Fetch { .. } | Action::Plan(_) => 0,
        }
    }

    fn has_room(&self, bytes: usize) -> bool {
        let sent: usize = self.begun.values().map(|call| call.bytes).sum();
        bytes == 0 || sent == 0 || sent.saturating_add(bytes) <= RECOGNISED_BYTES_MAX
    }

    fn take_photo(&mut self, action: &Action, course: &Course) -> Photo {
        let Action::Recognise { fetched_by } = action else {
            return Photo::None;
        };
        match (self.photos.remove(fetched_by), course.photo(*fetched_by)) {
            (Some(bytes), _) => Photo::Bytes(bytes),
            (None, Some(source)) => Photo::At(source.clone()),
            (None, None) => Photo::None,
        }
    }

    /// The next call that comes to its end. Waits for ever where none is under way.
    pub(super) async fn next(&mut self) -> Done {
        match self.calls.next().await {
            Some(done) => {
                self.begun.remove(&done.0.command.id);
                done
            }
            None => std::future::pending().await,
        }
    }

    /// Every call that is at its end by now. Nothing more is sent meanwhile.
    pub(super) fn done_by_now(&mut self) -> Vec<Done> {
        self.gate.shut();
        let done = std::iter::from_fn(|| self.next().now_or_never()).collect();
        self.gate.open();
        done
    }

    /// An answer is here, in the journal too.
    pub(super) fn arrive(&mut self, performed: Performed) {
        let (answer, photo) = performed.into_answer_and_photo();
        if let Some(bytes) = photo {
            self.photos.insert(answer.command, bytes);
        }
        self.arrived.insert(answer.command, answer);
    }

    /// Lets go of the photos that nobody will send to the recogniser: known ones, and those of
    /// searches that were dropped.
    pub(super) fn keep_photos(&mut self, is_needed: impl Fn(CommandId) -> bool) {
        let arrived = &self.arrived;
        self.photos
            .retain(|command, _| arrived.contains_key(command) || is_needed(*command));
    }

    /// The answer to this command, if it is here.
    pub(super) fn take_answer(&mut self, command: CommandId) -> Option<Answer> {
        self.arrived.remove(&command)
    }

    /// The oldest answer that is here.
    pub(super) fn take_any_answer(&mut self) -> Option<Answer> {
        self.arrived.pop_first().map(|(_, answer)| answer)
    }

    /// Ends every call that is not answered; what was sent of each.
    pub(super) fn end_unanswered(&mut self) -> Vec<LostCall> {
        self.calls.clear();
        self.photos.clear();
        self.waits_since_ms.clear();
        let begun = std::mem::take(&mut self.begun).into_iter();
        let lost = begun.map(|(command, begun)| LostCall {
            command,
            attempts: begun.outlay.attempts(),
            nano_usd: begun.outlay.nano_usd(),
        });
        lost.collect()
    }

    /// Nobody needs the answers that are here any more; what each has cost.
    pub(super) fn end_answered(&mut self) -> Vec<LostCall> {
        let arrived = std::mem::take(&mut self.arrived).into_values();
        let lost = arrived.map(|answer| LostCall {
            command: answer.command,
            attempts: answer.attempts,
            nano_usd: answer.nano_usd,
        });
        lost.collect()
    }

    /// Whether the answer to this command is here.
    pub(super) fn is_answered(&self, command: CommandId) -> bool {
        self.arrived.contains_key(&command)
    }
}
