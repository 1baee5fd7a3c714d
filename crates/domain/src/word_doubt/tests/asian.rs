//! Arabic, Japanese and Chinese titles.

use super::*;

#[test]
fn japanese() {
    check(
        "
        wax! ナターシャ・ロストワの[蝋人形]
        wax! マダム・[タッソー]東京
        lookalike! ナターシャの[そっくりさん]
        generated! [AI生成]画像
        generated! [ＡＩで生成]したナターシャ
        montage! [合成写真]
        montage! 写真の[コラージュ]
        wax? [蝋人形]の除幕式
        statue? ナターシャの[銅像]
        mural? 駅の[壁画]
        poster? 映画の[ポスター]
        cover? 雑誌の[表紙]
        painting? ナターシャの[肖像画]
        caricature? [似顔絵]
        cosplay? [コスプレ]イヤー
        screenshot? 番組の[スクリーンショット]
        cutout? [等身大パネル]
        # Honest.
        - ナターシャ・ロストワの肖像写真
        - 映像と画像
        - ポスター発表会場
        - 銅像の前で
        - 彫刻家ジェーン・ベネット
        - 絵画展にて
        - 看板女優
        - 人形劇
        - AIセミナー
        ",
    );
}

#[test]
fn chinese() {
    check(
        "
        wax! 娜塔莎[蜡像]
        wax! 娜塔莎[蠟像]館
        wax! 上海[杜莎夫人]
        lookalike! 娜塔莎的[模仿者]
        generated! [AI生成]的图片
        generated! [人工智能生成]
        montage! [合成照]片
        montage! 照片[拼貼]
        wax? 娜塔莎为[蜡像]揭幕
        statue? 娜塔莎[銅像]
        mural? 城市[涂鸦]
        poster? 电影[海报]
        cover? 專輯[封面]
        painting? [油画]肖像
        cosplay? 娜塔莎[cosplay]照
        screenshot? 视频[截图]
        # Honest.
        - 娜塔莎肖像照
        - 自由女神像
        - 海报发布会
        - 雕塑家
        - 油画展
        - 双打决赛
        - 人工智能大会
        - 图像与影像
        ",
    );
}

#[test]
fn arabic() {
    check(
        "
        wax! [تمثال شمع] لناتاشا
        wax! [متحف الشمع] في لندن
        wax! [مدام توسو]
        lookalike! [شبيه] ناتاشا
        generated! صورة [مولدة بالذكاء الاصطناعي]
        montage! [صورة مركبة]
        wax? افتتاح [متحف الشمع]
        statue? [تمثال] ناتاشا
        mural? [جدارية] في القاهرة
        poster? [ملصق] الفيلم
        cover? [غلاف مجلة]
        painting? [لوحة زيتية]
        caricature? [كاريكاتير]
        screenshot? [لقطة شاشة]
        # Honest.
        - صورة ناتاشا
        - ناتاشا ولوسي في الحفل
        - تمثال الحرية
        - ناتاشا أمام التمثال
        - مؤتمر خاص بالذكاء الاصطناعي
        - شمعة
        - لوحة المفاتيح
        - متحف الفن
        ",
    );
}
