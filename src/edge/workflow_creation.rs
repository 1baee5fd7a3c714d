//! Creates runs of workflows.

use serde_json::Value;
use worker::{Request, Result};

use crate::journal::{EngineName, WorkflowEngine};
use crate::session::{
    CreatorsAction, Fork, ForkSource, LiveRunCall, Problem, WantedGraph, WorkflowFork,
    WorkflowRequest, creators_only, may_start_workflow,
};

use super::run_creation::{Accepted, CreatedRun, RunCreator, RunToBegin};
use super::{door, run_objects, workflows};

impl RunCreator<'_> {
    /// Creates the run that is asked for, or finds the one that its idempotency key created.
    pub(super) async fn create_workflow(
        &self,
        request: &Request,
        wanted: WorkflowRequest,
    ) -> Result<Accepted<CreatedRun>> {
        if let Err(problem) = self.check_caller(request)? {
            return Ok(Err(problem));
        }
        if let Err(problem) = may_start_workflow(self.settings, self.is_operator, &wanted) {
            return Ok(Err(problem));
        }
        let key = self.key(request, wanted.session.as_deref());
        let token = wanted.turnstile_token.as_deref();
        let starter = match self.admit(request, token, key.as_ref()).await? {
            Ok(starter) => starter,
            Err(problem) => return Ok(Err(problem)),
        };
        let fork = match &wanted.fork {
            None => None,
            Some(fork) => match self.workflow_fork(request, fork).await? {
                Ok(source) => Some((fork.run.to_string(), source)),
                Err(problem) => return Ok(Err(problem)),
            },
        };
        let stored = match &wanted.graph {
            WantedGraph::Stored(name) => workflows::read(self.env, name).await?,
            WantedGraph::Sent(_) | WantedGraph::OfFork => None,
        };
        let order = match self.accept(&wanted, stored, fork.as_ref().map(|(_, source)| source)) {
            Ok(order) => order,
            Err(problem) => return Ok(Err(problem)),
        };
        let run: RunToBegin<WorkflowEngine> = RunToBegin {
            order,
            session: wanted.session,
            fork: fork.map(|(run, source)| Fork {
                run,
                answers: source.answers,
            }),
            starter,
            key,
        };
        self.begin(request, run).await
    }

    fn accept(
        &self,
        wanted: &WorkflowRequest,
        stored: Option<Value>,
        fork: Option<&ForkSource<WorkflowEngine>>,
    ) -> Accepted<crate::journal::WorkflowOrder> {
        let Ok(providers) = &self.settings.providers else {
            return Err(Problem::missing_settings(&self.settings.missing()));
        };
        let forked = fork.map(|source| &source.order);
        wanted.accept(stored, forked, providers, self.caps())
    }

    /// The order and the answers of the run that is forked.
    async fn workflow_fork(
        &self,
        request: &Request,
        fork: &WorkflowFork,
    ) -> Result<Accepted<ForkSource<WorkflowEngine>>> {
        let by = door::requester_as(request, self.is_operator);
        let call = LiveRunCall::Answers {
            by,
            before: fork.node,
        };
        let mut source = run_objects::call(self.env, &fork.run, call).await?;
        if source.status_code() == 403 {
            return Ok(Err(creators_only(CreatorsAction::Fork)));
        }
        if source.status_code() != 200 {
            let detail = "The run to fork is not here any more, or never was; runs are kept for a \
                          while only. Start the workflow anew.";
            return Ok(Err(Problem::new(404, detail)));
        }
        let text = source.text().await?;
        if EngineName::of_holder(&text) != Some(EngineName::Workflow) {
            let detail = "The run to fork is a search; fork it without a workflow.";
            return Ok(Err(Problem::new(409, detail)));
        }
        Ok(Ok(serde_json::from_str(&text)?))
    }
}
