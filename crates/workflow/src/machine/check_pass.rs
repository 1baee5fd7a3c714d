//! The checks after the walk: each node with checks that was executed is judged, one after the
//! other.

use domain::chat::ChatQuestion;

use super::checks::{Evidence, question, verdicts};
use super::graph::{Node, NodeId, Routes};
use super::interface::{Verdict, VerdictWord};

/// The executed nodes with checks, each with what its last execution showed.
#[derive(Debug, Clone, Default)]
pub(super) struct CheckPass {
    executed: Vec<(NodeId, Evidence)>,
    judged: usize,
}

/// The result of judging one node's checks.
pub(super) struct Judgement {
    pub(super) verdicts: Vec<Verdict>,
    /// The first check that has failed. After a failed check nothing else is judged.
    pub(super) failed: Option<String>,
}

impl CheckPass {
    /// Notes that a node with checks was executed; an earlier execution of it counts no more.
    pub(super) fn note(&mut self, node: NodeId, evidence: Evidence) {
        self.executed.retain(|(executed, _)| *executed != node);
        self.executed.push((node, evidence));
    }

    /// Returns the node that is to be judged next. Returns `None` where all are judged.
    pub(super) fn node<'routes>(&self, routes: &'routes Routes) -> Option<&'routes Node> {
        let (node, _) = self.executed.get(self.judged)?;
        routes.node_of(*node)
    }

    /// Returns the question that a model is asked about the node that is to be judged next.
    pub(super) fn question(&self, routes: &Routes) -> Option<ChatQuestion> {
        let (_, evidence) = self.executed.get(self.judged)?;
        Some(question(self.node(routes)?, evidence))
    }

    /// Judges a node by the model's words, or by the reason why there are none.
    pub(super) fn judge(&mut self, node: &Node, reply: Result<&str, &str>) -> Judgement {
        let verdicts = verdicts(node, reply);
        let mut failed = verdicts
            .iter()
            .filter(|verdict| verdict.word == VerdictWord::Fail);
        let failed = failed.next().map(|verdict| verdict.check.clone());
        self.judged += 1;
        if failed.is_some() {
            self.judged = self.executed.len();
        }
        Judgement { verdicts, failed }
    }
}
