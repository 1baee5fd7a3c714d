//! The names of generators, and the texts that they leave in files.
//!
//! Names are looked for as whole words, and only where a program, a maker or a creator is named: a caption may well
//! name the company whose founder it shows. No camera and no editor may have such a name, so that "Firefly", "Gemini",
//! "Imagen" and "Flux" alone are not among them. Neither is "Meta AI", the app that transfers photos from glasses with
//! a camera.

use domain::Statement;

use crate::findings::Findings;

/// The longest name that is compared, in characters.
const NAME_CHARS_MAX: usize = 256;
/// The longest text that is searched, in bytes.
const TEXT_BYTES_MAX: usize = 65_536;

/// Words in a name, as [`words`] returns them, and the generator that they name.
const GENERATORS: [(&str, &str); 96] = [
    ("a1111", "AUTOMATIC1111"),
    ("adobe firefly", "Adobe Firefly"),
    ("amazon nova canvas", "Amazon Nova Canvas"),
    ("amazon titan image generator", "Amazon Titan"),
    ("aphrodite ai", "Aphrodite AI"),
    ("artbreeder", "Artbreeder"),
    ("automatic1111", "AUTOMATIC1111"),
    ("bing image creator", "Bing Image Creator"),
    ("chatgpt", "ChatGPT"),
    ("cogview", "CogView"),
    ("comfyui", "ComfyUI"),
    ("craiyon", "Craiyon"),
    ("dall e", "DALL·E"),
    ("dalle 2", "DALL·E"),
    ("dalle 3", "DALL·E"),
    ("deepai", "DeepAI"),
    ("deepfacelab", "DeepFaceLab"),
    ("deep dream generator", "Deep Dream Generator"),
    ("diffusionbee", "DiffusionBee"),
    ("disco diffusion", "Disco Diffusion"),
    ("draw things", "Draw Things"),
    ("dreamina", "Dreamina"),
    ("dreamstudio", "DreamStudio"),
    ("easy diffusion", "Easy Diffusion"),
    ("edited with google ai", "Google AI"),
    ("ernie vilg", "ERNIE-ViLG"),
    ("facefusion", "FaceFusion"),
    ("flux 1", "FLUX"),
    ("flux 2", "FLUX"),
    ("flux dev", "FLUX"),
    ("flux schnell", "FLUX"),
    ("fooocus", "Fooocus"),
    ("generated photos", "Generated Photos"),
    (
        "generative ai by getty images",
        "Generative AI by Getty Images",
    ),
    ("google gemini", "Google Gemini"),
    ("google imagen", "Google Imagen"),
    ("gpt 4o", "GPT-4o"),
    ("gpt image", "GPT Image"),
    ("grok imagine", "Grok"),
    ("higgsfield", "Higgsfield"),
    ("hunyuan", "Hunyuan"),
    ("ideogram", "Ideogram"),
    ("imagen 3", "Google Imagen"),
    ("imagen 4", "Google Imagen"),
    ("imagined with ai", "Meta AI"),
    ("invokeai", "InvokeAI"),
    ("jimeng", "Jimeng"),
    ("kandinsky 2", "Kandinsky"),
    ("kandinsky 3", "Kandinsky"),
    ("kling ai", "Kling"),
    ("krea ai", "Krea"),
    ("latent diffusion", "Latent Diffusion"),
    ("leonardo ai", "Leonardo.Ai"),
    ("made with google ai", "Google AI"),
    ("mai image", "MAI-Image"),
    ("microsoft designer", "Microsoft Designer"),
    ("microsoft responsible ai", "Microsoft"),
    ("midjourney", "Midjourney"),
    ("mochi diffusion", "Mochi Diffusion"),
    ("nano banana", "Google Gemini"),
    ("nightcafe", "NightCafe"),
    ("niji journey", "Niji Journey"),
    ("nijijourney", "Niji Journey"),
    ("novelai", "NovelAI"),
    ("nova canvas", "Amazon Nova Canvas"),
    ("openai dall", "DALL·E"),
    ("pixai", "PixAI"),
    ("playground ai", "Playground"),
    ("qwen image", "Qwen-Image"),
    ("recraft", "Recraft"),
    ("reve com", "Reve"),
    ("runwayml", "Runway"),
    ("sd webui", "Stable Diffusion"),
    ("sdxl", "Stable Diffusion"),
    ("seaart", "SeaArt"),
    ("seedream", "Seedream"),
    ("shedevrum", "Shedevrum"),
    ("stable diffusion", "Stable Diffusion"),
    ("stablediffusion", "Stable Diffusion"),
    ("starryai", "starryai"),
    ("stylegan", "StyleGAN"),
    ("stylegan2", "StyleGAN"),
    ("stylegan3", "StyleGAN"),
    ("swarmui", "SwarmUI"),
    ("tensor art", "Tensor.Art"),
    ("this person does not exist", "StyleGAN"),
    ("thispersondoesnotexist", "StyleGAN"),
    ("tongyi wanxiang", "Tongyi Wanxiang"),
    ("wenxin yige", "Wenxin Yige"),
    ("wombo", "WOMBO Dream"),
    ("yandexart", "YandexART"),
    ("шедеврум", "Shedevrum"),
    ("即梦", "Jimeng"),
    ("混元", "Hunyuan"),
    ("文心一格", "Wenxin Yige"),
    ("通义万相", "Tongyi Wanxiang"),
];

/// Companies whose programs that write pictures are all generators. As a credit, their names may well stand under a
/// photo that they had taken.
const COMPANIES: [(&str, &str); 4] = [
    ("black forest labs", "Black Forest Labs"),
    ("openai", "OpenAI"),
    ("stability ai", "Stability AI"),
    ("xai", "xAI"),
];

/// The keywords of PNG texts that only generators write, with the generator if there is one alone.
const KEYWORDS: [(&[u8], Option<&str>); 13] = [
    (b"Dream", Some("InvokeAI")),
    (b"fooocus_scheme", Some("Fooocus")),
    (b"generation_data", None),
    (b"invokeai_graph", Some("InvokeAI")),
    (b"invokeai_metadata", Some("InvokeAI")),
    (b"invokeai_workflow", Some("InvokeAI")),
    (b"negative_prompt", None),
    (b"parameters", None),
    (b"prompt", None),
    (b"sd-metadata", Some("InvokeAI")),
    (b"sui_image_params", Some("SwarmUI")),
    (b"use_stable_diffusion_model", Some("Easy Diffusion")),
    (b"workflow", None),
];

/// Returns the generator that a program's or a maker's name names.
pub(crate) fn program(name: &str) -> Option<&'static str> {
    let words = words(name);
    among(&GENERATORS, &words).or_else(|| among(&COMPANIES, &words))
}

/// Returns the generator that is named as a creator, or as the one to be credited.
pub(crate) fn credit(name: &str) -> Option<&'static str> {
    among(&GENERATORS, &words(name))
}

fn among(table: &[(&str, &'static str)], words: &str) -> Option<&'static str> {
    let found = table.iter().find(|(phrase, _)| has_phrase(words, phrase));
    found.map(|(_, generator)| *generator)
}

/// Returns the words of a name in lower case, with one space before, between and after them.
fn words(name: &str) -> String {
    let mut words = String::from(" ");
    for letter in name.chars().take(NAME_CHARS_MAX) {
        if letter.is_alphanumeric() {
            words.extend(letter.to_lowercase());
        } else if !words.ends_with(' ') {
            words.push(' ');
        }
    }
    if !words.ends_with(' ') {
        words.push(' ');
    }
    words
}

/// Returns whether a phrase is among the words. Chinese has no spaces between words.
fn has_phrase(words: &str, phrase: &str) -> bool {
    let has_spaces = phrase.starts_with(|letter: char| letter < '\u{3000}');
    words.match_indices(phrase).any(|(at, _)| {
        let before = words.get(..at).unwrap_or_default();
        let after = words.get(at + phrase.len()..).unwrap_or_default();
        !has_spaces || before.ends_with(' ') && after.starts_with(' ')
    })
}

/// Returns what a description or a comment says, if a generator wrote it: its statement, and the generator's name.
pub(crate) fn text(text: &str) -> Option<(Statement, Option<&'static str>)> {
    let end = text.floor_char_boundary(TEXT_BYTES_MAX);
    let text = text.get(..end).unwrap_or_default();
    if text.contains("AIGC") && is_labelled(text) {
        return Some((Statement::AigcLabel, program(text)));
    }
    let by = if is_parameters(text) {
        None
    } else if is_graph(text) {
        Some("ComfyUI")
    } else if text.contains("\"sui_image_params\"") {
        Some("SwarmUI")
    } else if has_midjourney_job(text) {
        Some("Midjourney")
    } else {
        return None;
    };
    Some((Statement::GeneratorText, by))
}

/// Returns whether a text has the parameters that AUTOMATIC1111's web UI writes, and many others after it.
fn is_parameters(text: &str) -> bool {
    let others = ["Sampler: ", "CFG scale: ", "Seed: "];
    text.contains("Steps: ") && others.iter().filter(|name| text.contains(**name)).count() >= 2
}

/// Returns whether a text is a graph of `ComfyUI`, as it is stored in Exif data.
fn is_graph(text: &str) -> bool {
    let lower = text.get(..10).unwrap_or_default().to_ascii_lowercase();
    let graph = lower.strip_prefix("workflow:");
    let graph = graph.or_else(|| lower.strip_prefix("prompt:"));
    graph.is_some_and(|graph| graph.trim_start().starts_with('{'))
}

/// Returns whether a description ends with the id of a job, as Midjourney writes it.
fn has_midjourney_job(text: &str) -> bool {
    let job = text.split_once("Job ID: ");
    job.is_some_and(|(_, id)| id.get(..UUID_CHARS).is_some_and(is_uuid))
}

const UUID_CHARS: usize = 36;

/// Returns whether a text is a UUID with hyphens. Of the forms that the library reads, it alone has this length.
fn is_uuid(text: &str) -> bool {
    text.len() == UUID_CHARS && uuid::Uuid::try_parse(text).is_ok()
}

/// Returns whether Exif data are signed as Grok does it: a UUID as the artist, and a signature as the description.
pub(crate) fn is_signed_by_grok(artist: &str, description: &str) -> bool {
    const SIGNATURE_CHARS_MIN: usize = 64;
    let signature = description.strip_prefix("Signature: ").map(str::trim);
    let is_base64 = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=');
    let is_signature =
        |text: &str| text.len() >= SIGNATURE_CHARS_MIN && text.bytes().all(is_base64);
    signature.is_some_and(is_signature) && is_uuid(artist.trim())
}

/// Returns whether a JSON text has the label of GB 45438-2025 for content that is generated (1) or possibly so (2). The
/// third, 3, only says that a platform suspects it.
pub(crate) fn is_labelled(json: &str) -> bool {
    let dense: String = json.chars().filter(|sign| !sign.is_whitespace()).collect();
    let labels = [
        "\"Label\":\"1\"",
        "\"Label\":\"2\"",
        "\"Label\":1",
        "\"Label\":2",
    ];
    labels.iter().any(|label| dense.contains(label))
}

/// Reads a text of a PNG with its keyword.
pub(crate) fn png_text(keyword: &[u8], text: &[u8], findings: &mut Findings) {
    let text = text.get(..TEXT_BYTES_MAX).unwrap_or(text);
    let text = String::from_utf8_lossy(text);
    if let Some((_, by)) = KEYWORDS.iter().find(|(known, _)| *known == keyword) {
        let is_graph = matches!(keyword, b"prompt" | b"workflow") && text.starts_with('{');
        let by = by.or(is_graph.then_some("ComfyUI"));
        return findings.generated(Statement::GeneratorText, by);
    }
    match keyword {
        b"AIGC" if is_labelled(&text) => {
            findings.generated(Statement::AigcLabel, program(&text));
        }
        b"Software" | b"Source" | b"Creator Tool" => findings.program(&text, Statement::Software),
        b"Author" | b"Artist" => findings.credit(&text),
        b"Description" | b"Comment" | b"Title" => findings.text(&text),
        _ => {}
    }
}
