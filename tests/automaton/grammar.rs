//! The grammar of action strings, compared with Python 3.11.

use automaton::machine::actions::Step;
use automaton::machine::grammar::{Cause, Function, Value, read_call};

/// The text that `type` would type in this string of the grammar.
fn typed(string: &str) -> Result<String, (Cause, usize)> {
    let call = read_call(&format!("press_key({string})"));
    let call = call.map_err(|error| (error.cause, error.byte - "press_key(".len()))?;
    let text = call.argument("key").and_then(Value::as_text).unwrap();
    Ok(text.as_literal().unwrap().to_owned())
}

#[test]
fn strings_have_the_escapes_of_python() {
    for (string, text) in [
        (r"'a'", "a"),
        (r#""it's""#, "it's"),
        (r"'it\'s'", "it's"),
        (r#"'say \"x\"'"#, "say \"x\""),
        (r"'\\'", "\\"),
        (r"'\a\b\f\n\r\t\v'", "\u{7}\u{8}\u{c}\n\r\t\u{b}"),
        (r"'\0\7\60\1012'", "\0\u{7}0A2"),
        (r"'\400\777'", "\u{100}\u{1ff}"),
        (r"'\8\9'", "\\8\\9"),
        (r"'\x41\xe9\xFF'", "A\u{e9}\u{ff}"),
        (r"'\u20ac\U0001F642'", "\u{20ac}\u{1f642}"),
        (r"'\d\ \(\é'", "\\d\\ \\(\\é"),
        ("'one\\\ntwo'", "onetwo"),
        ("'one\\\r\ntwo'", "onetwo"),
        ("'one\\\rtwo'", "onetwo"),
        ("'tab\there'", "tab\there"),
        ("'é \u{1f642} \u{200f}'", "é \u{1f642} \u{200f}"),
        ("''", ""),
        ("'a' + \"b\"", "ab"),
    ] {
        assert_eq!(typed(string).as_deref(), Ok(text), "{string}");
    }
}

#[test]
fn strings_that_python_or_the_whitelist_refuses_are_refused_at_their_byte() {
    for (string, byte) in [
        ("'a", 0),
        ("'a\"", 0),
        ("'a\nb'", 2),
        ("'a\rb'", 2),
        ("'a\0b'", 2),
        (r"'\x4'", 1),
        (r"'\x+4'", 1),
        (r"'ab\u12'", 3),
        (r"'\ud800'", 1),
        (r"'\U00110000'", 1),
        (r"'\UFFFFFFFF'", 1),
        (r"'\N{BULLET}'", 1),
        ("'a\\", 0),
        ("f'{1}'", 0),
        ("b'a'", 0),
        ("r'a'", 0),
        ("u'a'", 0),
        ("'a' 'b'", 4),
        ("'''a'''", 2),
        ("\u{2018}a\u{2019}", 0),
        ("`a`", 0),
        ("('a')", 0),
        ("['a']", 0),
        ("{'a'}", 0),
        ("'a' * 2", 4),
        ("'a'[0]", 3),
        ("'a'.upper()", 3),
        ("'a' if 1 else 'b'", 4),
        ("lambda: 1", 6),
        ("*'a'", 0),
        ("'a' # no comment", 4),
        ("parameters", 10),
        ("parameters[KEY]", 11),
        ("parameters['A'", 14),
        ("parameters['A']['B']", 15),
        ("parameters.get('A')", 10),
        ("'a' == 'a'", 4),
        ("key == 'a'", 4),
    ] {
        assert_eq!(typed(string), Err((Cause::Syntax, byte)), "{string}");
    }
}

#[test]
fn numbers_are_those_of_python() {
    let waits = |number: &str| {
        let call = read_call(&format!("wait({number})")).map_err(|error| error.cause)?;
        Ok::<Value, Cause>(call.argument("seconds").unwrap().clone())
    };
    for (number, value) in [
        ("0", Value::Whole(0)),
        ("00", Value::Whole(0)),
        ("0_0", Value::Whole(0)),
        ("12", Value::Whole(12)),
        ("1_000", Value::Whole(1_000)),
        ("+3", Value::Whole(3)),
        ("- 3", Value::Whole(-3)),
        ("0x1F", Value::Whole(31)),
        ("0x_1f", Value::Whole(31)),
        ("0o17", Value::Whole(15)),
        ("0b101", Value::Whole(5)),
        ("9223372036854775807", Value::Whole(i64::MAX)),
        ("5.", Value::Float(5.0)),
        (".5", Value::Float(0.5)),
        ("05.5", Value::Float(5.5)),
        ("1e3", Value::Float(1_000.0)),
        ("1E+2", Value::Float(100.0)),
        ("1_0.5_0e-1_0", Value::Float(10.50e-10)),
        ("-0.25", Value::Float(-0.25)),
        ("True", Value::Flag(true)),
        ("None", Value::Nothing),
    ] {
        assert_eq!(waits(number), Ok(value), "{number}");
    }
    for wrong in [
        "05",
        "1_",
        "_1_",
        "1__0",
        "0x",
        "0xg",
        "0b2",
        "0o8",
        "1e",
        "1e+",
        ".",
        "1.2.3",
        "1j",
        "1e999",
        "9223372036854775808",
        "1 2",
        "1if",
        "0_x1",
        "1._5",
        "+",
        "- -1",
    ] {
        let cause = waits(wrong).unwrap_err();
        let is_name = wrong.starts_with('_');
        let expected = if is_name {
            Cause::UnknownName
        } else {
            Cause::Syntax
        };
        assert_eq!(cause, expected, "{wrong}");
    }
}

#[test]
fn arguments_are_bound_as_python_binds_them() {
    for (source, written) in [
        ("navigate_to('http://a')", "navigate_to(url='http://a')"),
        ("wait(seconds=0.5)", "wait(seconds=0.5)"),
        ("press_key ( 'a' , )", "press_key(key='a')"),
        ("press_key(\n 'a'\r\n)\n ", "press_key(key='a')"),
        (
            "click('css selector','#x','right',5,0.25,False)",
            "click(by='css selector', selector='#x', button='right', timeout=5, percentage=0.25, scroll_to=False)",
        ),
        (
            "type('css selector', selector='#x', text='a', fallback_height=1.0)",
            "type(by='css selector', selector='#x', text='a', fallback_height=1.0)",
        ),
        (
            "scroll(None,None,'up',4)",
            "scroll(by=None, selector=None, direction='up', scroll_amount=4)",
        ),
        ("scroll()", "scroll()"),
        ("scroll_to('id', 'a')", "scroll_to(by='id', selector='a')"),
        (
            "press_key('a' + parameters [ \"K\" ] + 'b')",
            "press_key(key='a' + parameters['K'] + 'b')",
        ),
    ] {
        let call = read_call(source).unwrap_or_else(|error| panic!("{source}: {error}"));
        assert_eq!(call.to_string(), written);
        // What is written parses back to the same call.
        assert_eq!(read_call(written), Ok(call));
    }
}

#[test]
fn what_does_not_fit_has_its_cause_and_its_byte() {
    use Cause::{BadArguments, Syntax, UnknownName};
    for (source, cause, byte) in [
        ("", Syntax, 0),
        ("click", Syntax, 5),
        (" press_key('a')", Syntax, 0),
        ("press_key('a'", Syntax, 13),
        ("press_key('a'))", Syntax, 14),
        ("press_key('a'); wait(1)", Syntax, 14),
        ("press_key('a')\nwait(1)", Syntax, 15),
        ("x = press_key('a')", Syntax, 2),
        ("import os", Syntax, 7),
        ("self.press_key('a')", Syntax, 4),
        ("press_key(,)", Syntax, 10),
        ("press_key('a',,)", Syntax, 14),
        ("press_key(key='a', key='b')", Syntax, 19),
        ("click(selector='a', 'b')", Syntax, 20),
        ("press_key(*['a'])", Syntax, 10),
        ("press_key(key=)", Syntax, 14),
        ("click(selector='it's')", Syntax, 19),
        (
            "type(by='css selector', selector='a', text='parameters['KEY']')",
            Syntax,
            56,
        ),
        ("terminate('done')", UnknownName, 0),
        ("save_html('x.html')", UnknownName, 0),
        ("exec('import os')", UnknownName, 0),
        ("__import__('os')", UnknownName, 0),
        ("Click('css selector', '#a')", UnknownName, 0),
        ("press_key(enter)", UnknownName, 10),
        ("wait(true)", UnknownName, 5),
        ("press_key(str)", UnknownName, 10),
        ("press_key(one, two)", UnknownName, 10),
        ("press_key()", BadArguments, 0),
        ("press_key('a', 'b')", BadArguments, 15),
        ("press_key(code='a')", BadArguments, 10),
        ("press_key('a', key='b')", BadArguments, 15),
        ("press_key('a' + 5)", BadArguments, 16),
        ("wait(1 + 2)", BadArguments, 9),
        ("click('css selector')", BadArguments, 0),
    ] {
        let error = read_call(source).unwrap_err();
        assert_eq!((error.cause, error.byte), (cause, byte), "{source}");
    }
}

#[test]
fn an_unknown_function_is_noticed_before_its_arguments_and_after_the_syntax() {
    let cause = |source: &str| read_call(source).unwrap_err().cause;
    assert_eq!(cause("nobody(1, 2, 3)"), Cause::UnknownName);
    assert_eq!(cause("nobody('it's')"), Cause::Syntax);
    let many = format!("press_key({})", "1, ".repeat(21));
    assert_eq!(cause(&many), Cause::Syntax);
    assert_eq!(
        cause("press_key(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12)"),
        Cause::BadArguments
    );
    assert_eq!(
        cause("click(parameters['A'], wrong=1)"),
        Cause::BadArguments
    );
}

#[test]
fn arguments_that_make_no_sense_are_read_and_refused() {
    for source in [
        "navigate_to('ftp://a')",
        "navigate_to('javascript:alert(1)')",
        "navigate_to('file:///etc/passwd')",
        "navigate_to('HTTP://a')",
        "navigate_to('')",
        "navigate_to(5)",
        "wait(-1)",
        "wait('5')",
        "wait(True)",
        "wait(None)",
        "wait(1.1e9)",
        "wait(parameters['T'])",
        "click('weird', '#a')",
        "click('css selector', 5)",
        "click('css selector', '#a', button='both')",
        "click('css selector', '#a', timeout='1')",
        "click('css selector', '#a', percentage=1e10)",
        "scroll(scroll_amount=-1e10)",
        "click('css selector', '#a', scroll_to='yes')",
        "click('css selector', '#a', fallback_x='1')",
        "click('css selector', '#a', fallback_x=1e300, fallback_y=1, fallback_width=1, fallback_height=1)",
        "click('css selector', '#a', fallback='always')",
        "click('css selector', '#a', fallback_x=1, fallback_y=1, fallback_width=1, fallback_height=1, fallback='never')",
        "click('css selector', '#a', fallback_x=1, fallback_y=1, fallback_width=1, fallback_height=1, fallback=True)",
        "type('css selector', '#a', 5)",
        "type('css selector', '#a', None)",
        "scroll(direction='left')",
        "scroll(scroll_amount='many')",
        "press_key(None)",
    ] {
        let call = read_call(source).unwrap_or_else(|error| panic!("{source}: {error}"));
        assert!(Step::of(&call).is_err(), "{source}");
    }
}

#[test]
fn every_function_has_its_name_and_no_other_is_called() {
    for name in [
        "navigate_to",
        "click",
        "type",
        "scroll",
        "scroll_to",
        "press_key",
        "wait",
    ] {
        let function: Function = name.parse().unwrap();
        assert_eq!(function.as_ref(), name);
    }
    for name in ["save_html", "terminate", "print", "open", "Wait", ""] {
        assert!(name.parse::<Function>().is_err(), "{name}");
    }
}
