//! The rules of who may read the atlas, and who may have something of it forgotten.

use engine::Problem;
use settings::{AtlasAccess, Settings};

use super::access::{Caller, is_operator};

/// Checks whether this caller may read the atlas.
pub fn may_read_atlas(settings: &Settings, caller: &Caller) -> Result<(), Problem> {
    match settings.atlas {
        AtlasAccess::Everybody { .. } => Ok(()),
        AtlasAccess::Nobody => Err(Problem::new(
            404,
            "There is no atlas here; the operator may set ATLAS, with a database by the binding DB.",
        )),
        AtlasAccess::Operator if is_operator(settings, caller) => Ok(()),
        AtlasAccess::Operator => Err(Problem::new(
            401,
            "The atlas of this server is for its operator: send the operator's token as “Authorization: Bearer \
             TOKEN”, or set ATLAS=public.",
        )),
    }
}

/// Checks whether this caller may have something of the atlas forgotten: the operator alone may.
pub fn may_forget(settings: &Settings, caller: &Caller) -> Result<(), Problem> {
    if is_operator(settings, caller) {
        return Ok(());
    }
    Err(Problem::new(
        401,
        "Only the operator can have something forgotten: send the operator's token as “Authorization: Bearer \
         TOKEN”. Where none is set, set OPERATOR_TOKEN.",
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use settings::{Binding, Bindings, EngineVariables, among};

    fn from(authorization: Option<&str>) -> Caller {
        Caller {
            authorization: authorization.map(str::to_owned),
            own_origin: "https://degrees.example".into(),
            ..Caller::default()
        }
    }

    #[test]
    fn the_atlas_is_read_by_those_whom_it_is_for() {
        let token = ("OPERATOR_TOKEN", "a-token-of-some-length");
        let status = |pairs: &[(&str, &str)],
                      authorization,
                      may: fn(&Settings, &Caller) -> Result<(), Problem>| {
            let bindings = Bindings::among([(Binding::Database, true)]);
            let settings = Settings::read(among(pairs), bindings, &EngineVariables::default());
            may(&settings, &from(authorization)).map_err(|problem| problem.status())
        };
        let right = Some("Bearer a-token-of-some-length");
        let public = [token, ("ATLAS", "public")];
        for (pairs, authorization, reads, forgets) in [
            (&[token][..], None, Err(401), Err(401)),
            (&[token], right, Ok(()), Ok(())),
            (&[], right, Err(401), Err(401)),
            (&public, None, Ok(()), Err(401)),
            (&[token, ("ATLAS", "off")], right, Err(404), Ok(())),
        ] {
            assert_eq!(
                status(pairs, authorization, may_read_atlas),
                reads,
                "{pairs:?}"
            );
            assert_eq!(
                status(pairs, authorization, may_forget),
                forgets,
                "{pairs:?}"
            );
        }
    }
}
