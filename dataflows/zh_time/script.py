"""One script for all: text folded to simplified characters, half-width forms and lower case, position for position.

The fold keeps the length, so that a span in the folded text is a span in the text. Only characters that occur in time
words, and in the words around them, are folded; it is no general converter.
"""

from __future__ import annotations

_SIMPLIFIED = (
    "穌稣 輝辉 ○零 ◯零 〇零 仟千 伍五 佰百 來来 係系 個个 們们 倫伦 備备 傳传"
    " 僅仅 儀仪 億亿 兒儿 內内 兩两 冊册 剛刚 劃划 動动 勝胜 勞劳 區区"
    " 參三 叄三 員员 問问 單单 嗎吗 嘅的 嚟来 國国 圍围 圖图 報报 場场"
    " 壓压 壹一 壽寿 夠够 奧奥 婦妇 學学 實实 寧宁 寫写 將将 尋寻 對对"
    " 師师 幹干 幾几 彌弥 後后 從从 復复 悅悦 愛爱 慶庆 應应 拾十 捌八"
    " 搶抢 據据 數数 於于 昇升 時时 晝昼 曆历 曉晓 會会 東东 柒七 條条"
    " 棄弃 業业 樂乐 樓楼 樣样 樹树 橋桥 檢检 權权 歡欢 歲岁 歷历 歸归"
    " 沒没 準准 溫温 滿满 潑泼 灑洒 為为 無无 燈灯 燭烛 爾尔 猶犹 獨独"
    " 獲获 獻献 玖九 現现 畫画 當当 發发 眾众 禮礼 稅税 種种 穀谷 積积"
    " 穫获 節节 籃篮 紀纪 約约 紅红 紐纽 終终 結结 給给 統统 經经 綵彩"
    " 緊紧 總总 續续 纔才 罷罢 聖圣 聯联 聽听 肆四 臘腊 與与 舊旧 華华"
    " 萬万 處处 號号 蟄蛰 衆众 衛卫 衹只 裏里 補补 裡里 見见 親亲 覺觉"
    " 計计 記记 設设 該该 誕诞 誦诵 說说 誰谁 課课 調调 講讲 謝谢 護护"
    " 讀读 讓让 豐丰 財财 責责 貮二 貳二 買买 費费 贖赎 車车 軍军 轉转"
    " 農农 這这 連连 週周 進进 遊游 運运 過过 達达 遠远 遲迟 還还 邊边"
    " 醫医 銀银 錄录 鍾钟 鐘钟 長长 開开 閏闰 間间 闆板 陞升 陣阵 陰阴"
    " 陸六 陽阳 際际 隨随 隱隐 雙双 離离 難难 電电 靈灵 順顺 預预 頭头"
    " 類类 飯饭 餘余 馬马 驚惊 體体 鬧闹 麼么 黃黄 點点 黨党 齊齐 齋斋"
    " 龍龙 龐庞"
)
"""A character and the one it folds to."""

_MARKS = {"－": "-", "—": "-", "–": "-", "―": "-", "ー": "-", "−": "-", "‑": "-", "﹣": "-", "～": "~", "〜": "~", "∼": "~"} | {
    "·": ".", "•": ".", "・": ".", "　": " ", "\u00a0": " ",
}  # fmt: skip


def _fold_table() -> dict[int, str]:
    half_width = {code: chr(code - 0xFEE0).lower() for code in range(0xFF01, 0xFF5F)}
    lower = {code: chr(code).lower() for code in range(ord("A"), ord("Z") + 1)}
    characters = {ord(pair[0]): pair[1] for pair in _SIMPLIFIED.split()}
    return half_width | lower | characters | {ord(mark): plain for mark, plain in _MARKS.items()}


_FOLD = _fold_table()


_FORMS: dict[str, str] = {}
for _code, _simple in _FOLD.items():
    _FORMS[_simple] = _FORMS.get(_simple, "") + chr(_code)


def forms(character: str) -> str:
    """A character of folded text, and all those that fold to it."""
    return character + _FORMS.get(character, "")


def folded(text: str) -> str:
    """The text in simplified characters, half-width and lower case; as long as the text itself."""
    return text.translate(_FOLD)
