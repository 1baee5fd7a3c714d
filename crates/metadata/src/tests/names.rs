//! The names of generators, and those of cameras and editors that resemble them.

use crate::generators::{credit, program};

#[test]
fn generators_are_known_in_the_ways_they_are_written() {
    for (name, generator) in [
        ("Adobe Firefly", "Adobe Firefly"),
        (
            "Adobe_Firefly/1.0 adobe_c2pa/0.7.6 c2pa-rs/0.25.2",
            "Adobe Firefly",
        ),
        ("ADOBE FIREFLY (web)", "Adobe Firefly"),
        ("DALL-E", "DALL·E"),
        ("DALL·E 3", "DALL·E"),
        ("OpenAI DALL•E", "DALL·E"),
        ("dalle-3", "DALL·E"),
        ("Midjourney", "Midjourney"),
        ("midjourney v6.1", "Midjourney"),
        ("niji・journey", "Niji Journey"),
        ("Stable Diffusion XL 9CC2F394", "Stable Diffusion"),
        ("stable-diffusion-webui", "Stable Diffusion"),
        ("AUTOMATIC1111", "AUTOMATIC1111"),
        ("NovelAI", "NovelAI"),
        ("ComfyUI", "ComfyUI"),
        ("InvokeAI 5.0", "InvokeAI"),
        ("Fooocus v2.5.5", "Fooocus"),
        ("Draw Things 1.20", "Draw Things"),
        ("Leonardo.Ai", "Leonardo.Ai"),
        ("Ideogram AI", "Ideogram"),
        ("Google Imagen 3", "Google Imagen"),
        ("imagen-4.0-generate", "Google Imagen"),
        ("Made with Google AI", "Google AI"),
        ("Bing Image Creator", "Bing Image Creator"),
        (
            "Image Creator from Microsoft Designer",
            "Microsoft Designer",
        ),
        ("Microsoft_Responsible_AI/1.0", "Microsoft"),
        ("ChatGPT", "ChatGPT"),
        ("GPT-4o", "GPT-4o"),
        ("gpt-image-1", "GPT Image"),
        ("OpenAI-API", "OpenAI"),
        ("xAI", "xAI"),
        ("Grok Imagine", "Grok"),
        ("FLUX.1 [dev]", "FLUX"),
        ("flux-schnell", "FLUX"),
        ("Black Forest Labs API", "Black Forest Labs"),
        ("Recraft V3", "Recraft"),
        ("craiyon.com", "Craiyon"),
        ("NightCafe Studio", "NightCafe"),
        ("Artbreeder", "Artbreeder"),
        ("StyleGAN2", "StyleGAN"),
        ("thispersondoesnotexist.com", "StyleGAN"),
        ("Imagined with AI", "Meta AI"),
        ("Qwen-Image", "Qwen-Image"),
        ("Seedream 4.0", "Seedream"),
        ("即梦AI", "Jimeng"),
        ("由腾讯混元生成", "Hunyuan"),
        ("文心一格", "Wenxin Yige"),
        ("通义万相", "Tongyi Wanxiang"),
        ("Kling AI", "Kling"),
        ("Шедеврум", "Shedevrum"),
        ("Kandinsky 2.2", "Kandinsky"),
        ("Amazon Titan Image Generator G1", "Amazon Titan"),
        ("Playground.ai", "Playground"),
    ] {
        assert_eq!(program(name), Some(generator), "{name}");
    }
}

#[test]
fn cameras_editors_and_people_are_none() {
    for name in [
        "Adobe Photoshop 25.0 (Macintosh)",
        "Adobe Photoshop Lightroom Classic 13.0",
        "Adobe Photoshop Camera Raw 16.0",
        "Adobe Express",
        "GIMP 2.10.34",
        "Picasa",
        "Google",
        "HDR+ 1.0.345618096zd",
        "Google Pixel 9",
        "Pixel Camera",
        "darktable 4.6.1",
        "RawTherapee 5.9",
        "Capture One 23",
        "Affinity Photo 2.3",
        "Luminar Neo",
        "Topaz Photo AI 2.0",
        "Topaz Gigapixel AI",
        "DxO PhotoLab",
        "Imagenomic Portraiture",
        "ImagenAI",
        "Visor de imagen de Windows",
        "Canva",
        "CapCut",
        "Snapseed 2.0",
        "Instagram",
        "Meta AI",
        "Meta View",
        "Ray-Ban Meta Smart Glasses",
        "Hawkeye Firefly 8SE",
        "Firefly 6S",
        "Gemini",
        "GEMINI 2",
        "FLUX",
        "f.lux 4",
        "Leonardo",
        "Sora",
        "Dream Pro",
        "SKY-FLUX 100",
        "Diffusion",
        "Stable",
        "Grok",
        "Kling",
        "ImageMagick 7.1",
        "Ver.1.00",
        "16.5.1",
        "NIKON CORPORATION",
        "NIKON D850 Ver.1.10",
        "ILCE-7M4 v2.00",
        "Canon EOS R5",
        "samsung SM-S918B",
        "Xiaomi 14 Ultra",
        "HUAWEI P60 Pro",
        "DJI Mavic 3",
        "Insta360 X3",
        "EPSON Perfection V600",
        "NORITSU KOKI QSS-32_33",
        "Unopenai",
        "MaxAI",
        "Novel AIr",
        "",
        " ",
        "...",
    ] {
        assert_eq!(program(name), None, "{name}");
    }
    for name in [
        "OpenAI",
        "Jane Bennet/xAI",
        "Wassily Kandinsky",
        "Foto dalle nuvole",
        "Meta AI",
    ] {
        assert_eq!(credit(name), None, "{name}");
    }
}

#[test]
fn only_the_beginning_of_a_long_name_is_compared() {
    assert_eq!(
        program(&format!("{} midjourney", "x".repeat(200))),
        Some("Midjourney")
    );
    assert_eq!(program(&format!("{} midjourney", "x".repeat(300))), None);
}
