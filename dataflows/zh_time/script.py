"""One script for all: text folded to simplified characters, half-width forms and lower case, position for position.

The fold keeps the length, so that a span in the folded text is a span in the text. Only characters that occur in time
words are folded; it is no general converter.
"""

from __future__ import annotations

_TRADITIONAL = "週禮點號時後這個兩鐘頭個裡裏國慶節陰曆農歷閏臘來現離還過從間內與開過週幾當發聖誕復萬勞動婦兒軍黨師親驚蟄處種滿穀聽尋嚟畫晝點歲末期夠億壹貳貮參叄肆伍陸柒捌玖拾佰仟萬隔雙單連續僅約為於"
_SIMPLIFIED = "周礼点号时后这个两钟头个里里国庆节阴历农历闰腊来现离还过从间内与开过周几当发圣诞复万劳动妇儿军党师亲惊蛰处种满谷听寻来画昼点岁末期够亿一二二三三四五六七八九十百千万隔双单连续仅约为于"
_MORE = {
    "學": "学", "業": "业", "讓": "让", "紀": "纪", "剛": "刚", "纔": "才", "陣": "阵", "會": "会", "將": "将",
    "遠": "远", "結": "结", "始": "始", "冊": "册", "舊": "旧", "曉": "晓", "馬": "马", "樣": "样", "昇": "升", "陽": "阳",
    "衛": "卫", "護": "护", "誰": "谁", "說": "说", "陞": "升", "籃": "篮", "愛": "爱", "條": "条", "種": "种", "電": "电",
    "東": "东", "紐": "纽", "區": "区", "倫": "伦", "間": "间", "類": "类", "讀": "读", "樹": "树", "植": "植",
    "贖": "赎", "齋": "斋", "禮": "礼", "儀": "仪", "灰": "灰", "體": "体", "燈": "灯", "爾": "尔", "齊": "齐", "難": "难",
    "灑": "洒", "紅": "红", "歡": "欢", "悅": "悦", "靈": "灵", "龐": "庞", "豐": "丰", "權": "权", "圖": "图", "實": "实",
    "猶": "犹", "獻": "献", "燭": "烛", "覺": "觉", "衆": "众", "眾": "众", "費": "费", "權": "权", "責": "责", "際": "际",
    "奧": "奥", "達": "达", "順": "顺", "遲": "迟", "總": "总", "統": "统", "誦": "诵", "轉": "转", "經": "经", "獨": "独",
    "聯": "联", "檢": "检", "積": "积", "隱": "隐", "謝": "谢", "鬧": "闹", "買": "买", "運": "运", "進": "进", "設": "设",
    "計": "计", "劃": "划", "記": "记", "錄": "录", "應": "应", "該": "该", "準": "准", "備": "备", "預": "预", "寫": "写",
    "見": "见", "聊": "聊", "問": "问", "講": "讲", "寧": "宁", "橋": "桥", "壽": "寿", "壓": "压", "稅": "税", "報": "报",
    "幹": "干", "麼": "么", "嗎": "吗", "給": "给", "們": "们", "對": "对", "沒": "没", "無": "无", "長": "长", "樓": "楼",
    "〇": "零", "○": "零", "◯": "零", "－": "-", "—": "-", "–": "-", "―": "-", "ー": "-", "−": "-", "‑": "-",
    "～": "~", "〜": "~", "∼": "~", "·": ".", "•": ".", "・": ".", "　": " ", "\u00a0": " ", "。": "。", "、": "、", "﹣": "-",
    "週": "周", "鍾": "钟", "钟": "钟", "係": "系", "壬": "壬", "穫": "获", "獲": "获", "潑": "泼", "圍": "围", "樂": "乐",
    "終": "终", "傳": "传", "華": "华", "遊": "游", "銀": "银", "黃": "黄", "調": "调", "補": "补", "課": "课", "員": "员",
    "節": "节", "處": "处", "溫": "温", "邊": "边", "數": "数", "隨": "随", "歸": "归", "勝": "胜", "餘": "余", "搶": "抢",
    "紧": "紧", "緊": "紧", "據": "据", "稍": "稍", "幾": "几", "剩": "剩", "餐": "餐", "飯": "饭", "課": "课", "場": "场",
    "棄": "弃", "滿": "满", "衹": "只", "歲": "岁", "億": "亿", "踏": "踏", "搭": "搭", "晚": "晚", "嘅": "的", "琴": "琴",
    "財": "财", "龍": "龙", "醫": "医", "闆": "板", "罷": "罢", "會": "会", "車": "车", "週": "周", "綵": "彩", "彌": "弥",
}  # fmt: skip


def _fold_table() -> dict[int, str]:
    half_width = {code: chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F)}
    table = (
        half_width | dict(zip(map(ord, _TRADITIONAL), _SIMPLIFIED, strict=True)) | {ord(k): v for k, v in _MORE.items()}
    )
    lower = {ord(letter): letter.lower() for letter in "ABCDEFGHIJKLMNOPQRSTUVWXYZ"}
    full_lower = {ord(letter) + 0xFEE0: letter.lower() for letter in "ABCDEFGHIJKLMNOPQRSTUVWXYZ"}
    return table | lower | full_lower


_FOLD = _fold_table()
VARIANTS: dict[str, str] = {}
"""Each simplified character with the characters that fold to it."""
for _code, _simple in _FOLD.items():
    if _simple >= "一":
        VARIANTS[_simple] = VARIANTS.get(_simple, "") + chr(_code)


def folded(text: str) -> str:
    """The text in simplified characters, half-width and lower case; as long as the text itself."""
    return text.translate(_FOLD)
