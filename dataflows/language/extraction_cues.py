"""Cues: what certain words show of the clause in which they stand. One row of the table is one cue.

A cue says that the words are there, no more; what follows from them is said in `extraction_acts`. Patterns are read
against lower-case text. They hold no look-around and no word boundary, so that Arrow searches a column at a time.
"""

from __future__ import annotations

from dataclasses import dataclass

import pandas as pd

from temporal_recall.dataflows.language.extraction_search import PatternSet


@dataclass(frozen=True, slots=True)
class Cue:
    """Words that say something of the clause in which they stand."""

    name: str
    meaning: str
    pattern: str


def _any(words: str, latin: str = "") -> str:
    """An alternation of the words, given separated by spaces, and of whole words in Latin letters, between bars."""
    chinese = "|".join(words.split())
    return f"(?:{chinese}|{_latin(latin)})" if latin else f"(?:{chinese})"


def _latin(words: str) -> str:
    """An alternation of whole words in Latin letters, given between bars."""
    return f"(?:^|[^a-z])(?:{words})(?:$|[^a-z])"


_DO = (
    "[发交写改做办买卖签订约见看吃喝去回到跑打考面聊谈开搬修换洗清拔测滚寄取拿送接付还缴报录装拍画剪播练游爬骑飞睡浇种喂领查补完结掉走离"
    "住租借存转汇充扫拖丢扔捡找遇碰教学读背抄算审批验传拆并部署除剃染烫缝熬煮蒸烤炒包腌晒叠收带陪饮跳唱投抢选评辞升挂退赢输过成砍请填砸顶替]"
)
"""Verbs of acts that leave something behind; verbs of saying, thinking and being are not among them."""

_NOT_ACTS = (
    "不没别未太累困饿渴冷热疼痛酸好坏绝死疯晕醉服烦难贵美帅棒强牛惨糟对行够算懂白道楚为除罢极怕慌腻胖瘦老旧久多少大小高低长短早晚黑亮红绿麻傻呆"
    "撞样爱急气笑哭点号天年月日岁周末秒分钟时候么怎来得想说问觉忘信变成像是有在差快该就剩只"
)
"""Characters before 了 that tell of a state, a measure, a saying or thinking, but not of an act that is over."""

_RESULT = "(?:完|好|掉|到|成|齐|妥|出来|出去|上去|下来|回来|回去|过去|过来|起来|进去|进来|上|下|出|满|光)?"
"""What may stand between a verb and 了."""

_SOMEONE = (
    "(?:[老小大阿][一-鿿]|[一-鿿](?:哥|姐|总|工|导|叔|姨|爷|奶|嫂)|[一-鿿]{1,2}(?:老师|医生|主任|经理|教练|阿姨|同学)|"
    "我?(?:老?[爸妈]|爸爸|妈妈|爷爷|奶奶|外公|外婆|姥姥|姥爷|舅舅|舅妈|姑姑|姨妈|叔叔|哥|姐|弟|妹|表.|堂.|"
    "老公|老婆|老伴儿?|爱人|儿子|女儿|娃|孩子|外甥女?|同事|"
    "室友|舍友|同学|闺蜜|导师|房东|老板|领导)|他|她|他们|她们|隔壁.{1,3}|"
    "[豆乐果萌琪贝朵甜圆团糖毛宝妞丫牛洋涛浩静晶婷媛倩娜丽菲琳玲佳欢球胖多]{2}|[a-z]{2,12})"
)
"""How a clause begins that has someone else as its subject; names themselves are read in `extraction_people`."""

_CLIENT = (
    "(?:客户|客人|甲方|业主|顾客|买家|房客|租客|当事人|家属|家长|学员|会员|乘客|委托人|"
    "[一-鿿](?:生|太|小姐|先生|女士|太太))"
)
"""Those for whom one works; what they are to get is promised, while what a superior is to get is a duty."""

_WHEN = (
    "(?:[今明后昨]天|[今明]晚|(?:下+个?|这个?|上个?)?(?:周|星期|礼拜)[一-鿿]?|周末|国庆|春节|五一|\\d+[号日]|下个月)?"
)
"""The time that may stand between a subject and its verb."""

_LENGTH = r"(?:半|一|两|二|三|四|五|六|七|十|几|\d+)(?:个半?|来)?(?:天|日|周|星期|礼拜|小时|钟头|钟|分钟|刻钟|月)"
"""How long, as one says by how much something moves."""

CUES: tuple[Cue, ...] = (
    # whose act it is
    Cue("speaker", "the user speaks of themself",
        r"(?:^|[^帮给让叫醒替催找陪送接])我|咱|俺|本人|"
        r"^用户(?:决定|答应|计划|打算|将|要|承诺|说|表示|提到|需要|已|在|于)|" + _latin("i|i'm|i'll|i've|we|we'll|my|me")),
    Cue("everyone", "the words are addressed to a group", r"大家|各位|你们|所有人|有空|同学们|@all"),
    Cue("calls_on_other", "someone else is asked to do it",
        r"(?:给|替)我|把[^，]{1,12}(?:发|给|交|传|寄|带|拿|送|还|转)(?:给|一下给)?我|"
        r"[你您][^，]{0,8}(?:发|给|交|传|寄|带|送)给?我(?:$|就|一|吧)|请(?:于|在|务必|各位|尽快|大家)|"
        r"帮我[^记存加设]|帮忙|麻烦|"
        r"(?:^|[^发给回寄交送传还找陪帮等教带接约跟和与同向对])[你您]们?.{0,14}(?:一下|下|吧|呗|哈)$|呗$|" + _latin("could you|can you|please")),
    Cue("comes_along", "someone is to come, or to meet",
        r"来(?:一?趟|参加|开会|学校|公司|单位|现场|办公室|家里|店里|家访|面谈|$)|到(?:场|会)|参加|出席|过来|"
        r"见个?面|碰一?[个下面]|当面|面谈|谈谈|聊聊"),
    Cue("gets", "someone else gives it to the user", r"给我(?:寄|发|买|送|带|转|打|做|订)"),
    Cue("other_subject", "someone else does it",
        "^" + _SOMEONE + "(?:跟我说他?|说[他她])?" + _WHEN + "(?:就|也|要|得|会|又|刚|临时|准备|打算)?"
        "(?:去|来|休|请[了假年病]|离职|出差|飞|回|走|搬|把|提离?|上学|开学|结婚|相亲|生[了娃]|住院|手术|考|"
        "调休|退休|辞|毕业|旅)"),
    Cue("kin_subject", "a parent, grandparent or child of the user does it, or it is done to them",
        "^我?(?:老?[爸妈]|爸爸|妈妈|爷爷|奶奶|外公|外婆|姥姥|姥爷|公公|婆婆|岳父|岳母|儿子|女儿|娃|孩子|宝宝)[^说]"),
    # what keeps it from being an event of the user's life
    Cue("wish", "it is imagined or dreamt, not planned", _any(
        "^要是 [^主需不只]要是 如果 假如 假设 万一 就好了 多好 好想 真想 要不是 梦见 梦到 做梦 幻想 说不定 "
        "也许 或许 若是 倘若 恨不得 下辈子 中了彩票 的话就",
        "if|wish|maybe|someday|would|dreamt")),
    Cue("question", "something is asked",
        r"(?:吗|么|嘛|没有|来着|呢|了没)[?？]*$|[^算罢免]了吧[?？]*$|[^还都]没$|"
        r"^(?:what|when|where|who|how|why|do you|can you|could you|is there|are you)[^a-z]|" + _any(
        "什么 怎么 怎样 如何 哪 谁 有没有 多少 能不能 要不要 会不会 是不是 可不可以 行不行 去不去 来不来 "
        "好不好 为啥 啥 咋 几个 几次 几号 几点 不如")),
    Cue("question_mark", "a question mark stands there", r"[?？]"),
    Cue("proposes", "consent is asked to what is said",
        r"(?:行|可以|好|成|方便|合适|ok)(?:吗|么|嘛|不|不行|不可以|不好|不方便)(?:啊|呀|哈)?[?？]*$|"
        r"(?:能不能|可不可以|能否)[^，]{0,5}(?:往[前后]|改|挪|推|换|调|延|提前|宽限)|"
        r"(?:一起|一块儿?|咱们?|我们)[^，什么哪几谁怎啥]{1,8}(?:吗|不)[?？]*$|" + _latin("shall we|how about|does .{1,20} work")),
    Cue("presumes", "the question takes the event for granted",
        r"几点[^了]|几点$|来着|哪个(?:会议室|教室|航站楼|口)|"
        r"(?:是不是|要不要|能不能|用不用|需不需要|要|需要|可以|能)(?:也|还)?(?:空腹|带|穿|喝水|吃东西|吃早饭|"
        r"水也|提前|停药|换鞋|交钱|带伞)|what time"),
    Cue("asks_machine", "a piece of work is asked of an assistant",
        r"(?:帮我|给我|替我|请)(?:查(?:$|[^收阅])|搜|找|写|翻译|润色|总结|算|想|看看|列|生成|推荐|解释|改写|"
        r"整理|分析|起草|拟|出)|"
        r"^(?:写|翻译|润色|总结|生成|推荐|解释|介绍|列)一?[下个段篇份]|[比较更]好$|怎么(?:搭|写|说|做|弄|办|回|用|配)"),
    Cue("forgets", "it slipped the mind, so it is not done",
        r"(?:^|[^别莫勿不没难])忘(?:[了记掉]+$|"
        r"[了记掉]*(?:[交买带做写发还拿取打回报订关缴付寄填续充吃喂浇锁叫问签]|去|给)|得)|"
        + _any("差点 险些 差一点")),
    Cue("hearsay", "it is told on hearsay",
        r"的人说|听个乐|(?:隔壁|乘客|网友|路人|邻居|别人|人家|有人|群里).{0,6}说|都在传|先听听|"
        + _any("听说 据说 传言 网传 好像说 原话 八卦 谣传 吃瓜 爆料 传闻 新闻 热搜 小道消息", "rumou?r|apparently")),
    Cue("laughs", "it is told for amusement", r"哈哈|笑死|hhh|lol|吃瓜"),
    Cue("refuses", "the user will have no part in it, or denies it", _any(
        "别指望 别算我 懒得 不想去 没空去 与我无关 关我 不感兴趣 没有的事 算了吧?$ 才怪 胡说 瞎说 没说过")),
    Cue("seeks", "the words look for someone to do it",
        r"有没有人|有人.{0,8}吗|谁(?:能|有空|可以|想|愿意)|谁.{0,6}(?:帮|替|代)|求[助个一]|蹲一?个|有空吗|anyone"),
    Cue("not_happened", "it did not take place", r"没(?:有|吃|去|来|见|睡|做|看|喝|开|上|想|人|时间|空|赶上)"),
    Cue("dread", "it is only thought about", _any(
        "在想 担心 但愿 (?:千万|最好)别(?:再)?(?:出|下|堵|坏|停|挂|生病) 害怕 怕是 想起 回忆 怀念 想念")),
    Cue("doubt", "it may not come about", _any(
        "悬 够呛 不一定 说不准 没准 待定 不确定 没定 未定 难说 看情况 再说 再看 再定 再议 可能 大概率 没准 "
        "拿不准 暂定 没最后定 没敲定 没说死 等通知 待通知 看天气 还在商量 尽量争取",
        "tbc|tbd|maybe|might|tentative|tentatively|not sure")),
    Cue("reported", "it is news that someone told",
        r"(?:跟我|和我|告诉我|给我)说|说(?:他|她|自己)(?:要|提|已|准备|下)"),
    Cue("feels", "a feeling about it", _any(
        "心疼 可惜 难过 难受 后悔 羡慕 嫉妒 感动 无语 绝了 离谱 烦死 累死 笑死 好[美累困烦气热冷贵难] "
        "太.{1,3}了 舍不得")),
    Cue("acknowledges", "the words only confirm that they were read",
        r"^(?:收到|好的?|知道|明白|了解|ok|行|可以|没问题|嗯+|对|辛苦)(?:了|啦|的|哈|呢|吧)*$"),
    Cue("sky", "weather, season and solar terms", _any(
        "下雨 下雪 降温 升温 台风 暴雨 天气 气温 高温 多云 晴天 雾霾 入秋 入冬 "
        "立春 雨水 惊蛰 春分 谷雨 立夏 小满 芒种 夏至 小暑 大暑 立秋 处暑 白露 秋分 寒露 霜降 立冬 小雪 大雪 "
        "冬至 小寒 大寒")),
    Cue("greeting", "a greeting", _any(
        "快乐 愉快 安康 早安 晚安 早上好 下午好 晚上好 恭喜 辛苦 加油 谢谢 感谢 好梦 ^(?:明天|周一|下周|回头)见",
        "good morning|good night|happy|thanks")),
    Cue("declines", "it need not be done",
        r"不用|不必|甭|不(?:补课|上班|开会|加班|回家|在家|值班|放假|考试)|别(?:来|等|去|管|叫|替|帮|给)"),
    # how far it is
    Cue("modal", "it is to come",
        r"(?:^|[^应活本])该[^，了的是怎么谁何]{1,5}了|(?:^|[^纪摘提概简])要(?:$|[^是么求点紧闻不])|去.{0,6}把|"
        r"[完好].{0,4}[再就]|[完好].{0,2}去|能(?:$|[^力量源够])|(?:^|[^没回])想|将(?:$|[^军来近])|快(?:要|到)|"
        r"再(?:$|[^见也])|"
        r"^会[^议上后员计面场长签结费谈话不开散完诊客所审餐友师考展]|"
        r"[^开例周早晚午夜夕组年机社聚体班董理学工大茶舞盛宴约展长不完到过了散的个场次站这那]会(?:[^议上后员计面场长签结费谈话不完散])|"
        r"(?:^|[^觉值晓记懂舍认显获取讲说写做打跑吃看聊谈开考睡玩过长来去弄搞画唱弹走用干学])"
        r"得(?:去|交|做|给|把|买|赶|早|提前|先|在|再|写|改|回|找|跟|等|开|上|到)|"
        r"前(?:给|交|发|写|完|搞|弄|做)|"
        + _any(
            "打算 准备 计划 争取 尽量 必须 应该 可以 待会 一会 马上 稍后 等下 等会 回头 晚点 即将 下次 记得 "
            "之前 以前",
               "will|going to|gonna|should|must|plan|planning|need to|wanna") + "|'ll"),
    Cue("perfective", "a particle says that it has come about", r"了|啦|咯|已"),
    Cue("light", "a look or a try, nothing achieved",
        r"了(?:一下(?:$|[^午子])|一眼|下(?:$|[^午])|几眼|半天(?:$|[^假])|想)|看了看|想了想|试了试"),
    Cue("done", "it is over",
        rf"[^\x00-\x7f{_NOT_ACTS}\s]了(?:$|[一两三四五六七八九十几半个\d]|[^解结如无却断不得])|" + _DO + _RESULT + r"(?:了|啦|咯|喽)|"
        + _DO + r"(?:完|齐|妥|掉)$|" + _DO +
            r"过(?:了|$)|[^\d一二三四五六七八九十几两]点了|[会试盘训课诊针餐赛展面检]完$|请了[^，]{1,4}假|"
            r"[跑走游骑爬练跳刷读背写做搬]完\d|(?:手术|考试|面试|答辩|比赛|演出|检查|体检|开庭|交接|化疗|"
            r"[^没不]谈)(?:都|还|很|挺|非常|蛮|算)?(?:顺利|成功|圆满|正常)$|"
            r"[调机梯灯泵网水电路门车锅炉阀管器备统件病伤烧]好了$|"
            r"(?:^|[^要去来点号日天前后再就等该得到\d])(?:接班|交班|退房|出院|返程|返校|到岗)$|"
            r"[^\x00-\x7f没未不还别快要等]完(?:$|了(?:$|[^吗么吧没]))|[^没未不还别快要等]完.{1,3}了$|"
            r"[^没未不还别快要等]完[^了全成毕美善整再就去才\x00-\x7f]|(?:收|拿|领|买|约|抢|接|签)到$|"
        r"(?:验收|审核|审批|面试|考试|考核|体检|申请|答辩|复试|评审|年检|驾照|资格证)[^，]{0,2}(?:通过|过关|"
        r"合格)$|wrapped up|(?:^|[^没快还间点期提说得感做看听遇碰找想轮等])到了(?:[^，]{0,8}(?:店|场|家|站|"
        r"公司|楼|厅|铺|地盘|工地|酒店|学校|医院|馆)$|$)|[喝吃用坐穿赶排住看开收]上了|"
        r"[来行]了[一两三四五六七八九十几半\d]|"
        r"[练走跑冻笑忙累吃喝玩聊看站坐写改开熬睡唱跳排堵热痛哭]到(?:爆|死|飞起|"
        r".{0,3}(?:[震麻软哭吐崩瘫晕懵疯残]|半夜|凌晨|天亮|怀疑人生)|不行|关门|打烊|现在|腿)|"
        r"[开吃喝饮打聊看上考]完[会饭茶球试天课]|考(?:了|\d{2,3}(?:$|[分 ，]))|"
        r"[跑走骑游爬练跳刷读背写做站][一二两三四五六七八九十百半几\d]+(?:多|来)?(?:公里|千米|里|步|组|圈|小时|"
        r"钟头|页|道题|题|遍|趟|单|套|米)|[a-z]了|打卡$|配速|刚从|刚[^，才要想好]{1,6}(?:来|去|完|出|过)$|"
        r"(?:早上|上午|中午|下午|晚上|凌晨|"
        r"点半?)[^，要想得会该能改]{0,8}[吃喝买坐跑打开看签办修走到见谈睡起交寄发练]的[^，]{0,3}$|[班课]下了|"
        r"(?:已|已经|刚|刚刚|刚才|终于|总算|顺利)" + _DO + r"|得(?:很|还|挺|太|非常|特别|不错|一般|差|可以|顺利)|"
        r"把.{1,8}[完好掉]了|(?:刚|才|已经?|终于).{0,6}" + _DO +
            r"(?:完|好|到|过)|(?:回|出|上|下)[来去]了|恢复$|刚下(?:班|课|夜班)|"
        + _any(
            "完成 结束 搞定 弄好 弄完 办妥 谈妥 谈拢 收工[^前] 收工$ 散场 散会 收摊 打烊 落幕 闭幕 杀青 完工 "
            "竣工 下播 谢幕 到手 到账 通过了 过了 好啦 完啦 成功",
               "done|finished|completed|shipped|deployed|merged|submitted|sent|signed|paid|passed|met|went|had|got|"
               "bought|saw|ate|ran|fixed|released|pushed|closed|resolved|launched|picked up|dropped off|wrapped")),
    Cue("outcome", "how it came out: a place, a score, a finding",
        r"第(?:[一二三四五六七八九十]|\d+)名?$|(?:[一二三四五六七八九十]|\d)比(?:[零一二三四五六七八九十]|\d)|"
        r"连[输赢胜败][一二两三四五六七八九十几\d]|[输赢平]了$|"
        r"(?:都|全|一切|指标|结果)正常|(?:没(?:什么|啥)?(?:问题|大碍|毛病)|[都全人]没事)(?:$|了$)|"
        r"(?:没|都|全)过$|(?:发挥|手感|手气)[^，]{0,2}[好差烂稳错常行]"),
    Cue("once_there", "it is to be done on arrival",
        r"[到完好]了?(?:就|再|以?后)?(?:跟|和|给|告诉|叫|喊|通知|联系)(?:我|你|大家|一?声)|"
        r"(?:到|完)了(?:说|吱|喊|叫|再|发|打|告诉|联系|微信|电)"),
    Cue("stops", "it is not done any more", r"不.{1,5}了$|不.{1,5}了[^吗么]"),
    Cue("gives_up", "a course is not taken, or not taken any longer",
        r"不(?:再|打算|准备)?(?:报|续|买|换|签|租|学|做|留|让|招|卖|投|养|种|搬|读|借|贷|装|套|追|生|辞|扩|接|"
        r"要|合作|考虑|进货|外包)[^，吃喝玩说]{0,4}了$"),
    Cue("arrived", "the user is there",
        r"(?:^|我|已|刚|都|也|们)到(?:.{0,6}了|啦|家|店|站|公司|学校|医院|酒店|楼下|门口)|"
        r"进(?:会议室|场|教室|考场|病房)了?|(?:^|我|已)签到|"
        r"^(?:刚|已经|终于)?(?:回到|回了|抵达|上(?:车|船|大巴|高铁|飞机|地铁)|出(?:站|关|院)|接到)|"
        r"^在.{1,8}了$|^(?:刚)?下(?:夜班|班|课|飞机|车|高铁|火车)(?:$|[^后前去来再就想要跟和陪接顺先回])|"
        + _any("现场了 上车 登机 落地 坐下了 报到了", "arrived|landed")),
    Cue("outing", "the user goes somewhere with someone",
        r"^(?:今天|刚)?(?:带|陪|跟|和|同)[^\s]{1,5}(?:去|到|来|逛|吃|喝|饮|看|玩|爬|在)|^一家人(?:去|在|到|吃)"),
    Cue("ongoing", "it is going on",
        r"正在|着呢|排(?:队|着)|排长队|候[场机车诊考]|堵[在车]|输液|打点滴|挂水|"
        r"(?:一整|整整一|一|整|全)(?:天|个?上午|个?下午|早上|个?晚上|晚|夜)(?:都|全|光|净|一直|就)?(?:在|泡在|"
        r"耗在|忙|跑|开|搬|整理)|[去回往][^，]{1,8}[车巴铁机船]上$|"
        r"^(?:在|人在|已在|刚在)?(?:高铁|飞机|地铁|火车|大巴|公交|动车|船|车)上$|"
        r"[排等吃喝看开聊忙加改写做搬赶饮食睡煲](?:着|紧)[^急张要]?|"
        r"(?:^|[^现存实所人])在(?:改|写|做|看|吃|喝|聊|开|跑|打|听|复习|备课|加班|放|排队|留观|"
        r"等(?:$|[^你您他她大我咱们])|路上|候|堵|赶|搬|陪|带|上课|整理|练|画|剪|煮|炖|学)|"
        r"在[^\s哪]{1,5}(?:看|吃|喝|玩|聊|逛|拍|跳|打|量|修|装|拆|搬|挑|试|谈|办|卸|验|盯|监|练|干|煮|做饭|"
        r"过[节年生]|等(?:$|[^你您他她大我咱们])|排队|散步|晒|写|开会)"),
    Cue("dated", "a day or an hour is named",
        r"(?:周|星期|礼拜)[一二三四五六日天末]|[明后]天|明[早晚]|今晚|[\d一二三四五六七八九十][号日]|"
        r"下(?:周|个?月|个?星期|个?礼拜)|[\d一二三四五六七八九十两半]点"),
    Cue("to_be_done", "a result by a day that is named",
        r"(?:(?:周|星期|礼拜)[一二三四五六日天末]|[明后]天|明[早晚]|周末|月底|年底|"
        r"[\d一二三四五六七八九十][号日])[^，了过刚才]{0,8}(?:完|好|齐|定|掉)$"),
    Cue("returns", "the way back",
        r"(?:再|才|就|晚上?|午|天|[日号]|[周期拜][一二三四五六日天])(?:飞|坐车|开车)?(?:回|返)(?:$|来|程|去|"
        r"[^复访电答应话信头看家馈])"),
    Cue("allows", "the one addressed may take their time",
        r"(?:就|也|都)(?:行|可以|好|成|ok)$|即可$|不[急忙]|不着急|没关系$"),
    Cue("under_way", "the user is on the way there",
        r"路上|出发|^(?:我|我们|咱)?(?:先|这就)?去(?:看|吃|逛|玩|喝|爬|游|健身|跑步|上[课班]|买|取|接|送|开会|"
        r"打|医院|学校|公司|超市|机场|车站|银行|剪|办|拿|拍|面试|考试|体检|菜场|图书馆|练|参加|见|找|寄|交|洗|"
        r"修)|我(?:自己|先|马上|现在|这就)?(?:去|过去)|这就去|马上(?:去|到)|" + _latin("on my way|omw")),
    Cue("sets_out", "it is on the day's round",
        r"(?:今天|今晚|今早|上午|下午|中午|晚上|待会|等下)(?:我|我们|就|再)?(?:飞|去|回|见|面|考|搬|值|接|陪|"
        r"带|拆|装|量|修|谈|办|拍|录|送|试|练|签|跑|洗|做(?:手术|检查|体检)|打(?:球|针|疫|流感|预防|扫)|"
        r"开(?:庭|标|学|业|工|会)|上(?:课|门)|[出入]院|手术|复[查诊]|[产体孕]检|开学|放假|毕业|[入离]职|领证)"),
    Cue("undone", "it is still to be done",
        r"还没|没来得及|来不及|尚未|还差|没(?:写|做|交|改|弄|搞|办|发|买|看|复习)完?|"
        r"(?:发|交|写|改|做|赶)不(?:出|完|上|了)|"
        r"not (?:yet|done)|haven't"),
    Cue("unfinished", "an act is still to be done",
        r"(?:还没|没|尚未)(?:来得及)?(?:写|做|动|开始|审|交|改|弄|搞|办|发|买|看|复习|准备|订|填|报|付|还|寄|"
        r"洗|收拾|背|练|整理)"),
    Cue("unseen_to", "an errand that is still to be run",
        r"(?:还没|尚未)(?:来得及|去)?(?:买|订|交|填|报[名销]|续|寄|取|还|付|办|缴|约|打印|回复|开票|"
        r"开发票)(?:$|[呢啊呐])"),
    Cue("lacks", "part of a work is still missing",
        r"还差|还剩|[一-鿿]了一半|写不下去|(?:没|未)[^吃睡喝玩说听哭笑]{1,2}[完齐]$|只差|"
        r"还有[^，]{1,6}没(?:看|写|做|改|交|弄|填|读|背|批|审|回|发|录|寄|洗)$|"
        r"(?:没|未)(?:归档|盖章|签字|录入|上报|登记|备份|更新|上传|打印|整理|审批|报名|确认|回复|处理|联系|"
        r"安排|通知|付款|开票|填)$"),
    Cue("negated", "it is not so", r"没|不|别|未|勿|n't|" + _latin("not")),
    Cue("cancels", "it is called off",
        r"(?:^|[^发写交改做赶看听买找吃打接联算说想来去用])不(?:用)?(?:再)?"
        r"(?:[开去来办约练上考聚搬签飞跑打骑爬面参谈聊订演比出跳唱游拍录播]|参加|见面|旅游|培训).{0,4}了|"
        r"(?:今晚|今天|明天|明晚|晚上|中午|周末|[周期拜][一二三四五六日天])(?:的?饭|我|就|也|先)?不(?:吃|喝|做|"
        r"过来|过去|聚|见)了|[会课饭局班赛](?:都|就)?不[开上吃办打](?:$|了)|[课会诊班赛动运](?:都|全)?停了?$|"
        r"停了$|[课会诊班赛].{0,4}停(?:一[次节周天]|[一两三]周)|放(?:了)?(?:我|我们|咱)(?:的)?鸽子|爽约|"
        r"不用(?:去|来|开|上|参加|考|交)|没(?:去|开|聚|见|吃|办|约|打|爬|走)成|(?:开|聚|参加|飞|去|来)不(?:了|成)|"
        r"[去来开打见办约考上聚飞走吃看练爬跑骑做玩搬拍播游滑录签谈逛钓]不成(?:了|啦|$)|没法(?:去|来|参加|到)|"
        r"(?:我|请假).{0,3}不(?:参加|去|来)(?:了|$)|推掉了?|退(?:赛|团|课)了?|cancel|"
        + _any("取消 黄了 泡汤 作废 鸽了 退票 退掉 退订 停课 停诊 停办 流产了", "called off|is off|bailed|scrapped")),
    Cue("missed", "someone who was to come did not", r"没(?:来|到|去)$|爽约|(?:^|[^别])放.{0,2}鸽子|没露面"),
    Cue("drops", "what one was to do together is let be", r"(?:^|[^说])(?:就|还是|也)?(?:算了|免了|作罢|拉倒)吧?$"),
    Cue("may_cancel", "it could be called off, or is not", r"(?:可|能|免费|随时|别|不|没)取消|取消(?:不了|政策|险|费)"),
    Cue("moves", "it gets another time or place",
        r"改了?(?:到(?:$|[^一半现凌深])|到一[^半]|至|成|在|约|期|签|为|个时间|时间|[周星礼明后今下上早晚线])|"
        r"改了?(?:\d|[一二三四五六七八九十])+[点号月日:：./]|"
        r"(?:宽限?|延|展期?|缓|拖|推|放宽)[我你们点些]{0,2}到|(?:挪|推|调|换|移|延|顺|拖|延误)(?:到|至)|"
        r"[挪调移]去?(?:下?周|下?星期|下?礼拜|[明后]天|下个?月|\d+[号日月])|"
        r"(?:先)?(?:放|排|约|安排)到(?:下个?)?(?:周|星期|礼拜|[明后]天|下个?月|\d+[号日])|"
        r"(?:推迟|延期|延后|顺延)(?:到|至|了|吧|$|[\d一二两三四五六七八九十半])|(?:提前|提早)(?:到|至|了)|"
        r"往[后前](?:推|挪|移|提|延)|"
        r"resched|postpone|(?:moved?|pushed?) (?:it )?(?:to|back)|delayed to|extended to"),
    Cue("moves_by", "it gets another time, told by how much it moves",
        r"(?:推后|推迟|延后|顺延|延期|往[后前](?:推|挪|移|提|延|拖)|(?:改|挪|推|移|拖|延)(?:后|晚))了?" + _LENGTH + r"|(?:提前|提早)了?" + _LENGTH + r"(?:了|吧|哈|啊|哦)*$"),
    Cue("puts_off", "it will be later than was said",
        r"(?:推迟|延期|延后|顺延|改期)(?:了|吧)?$|往后(?:推|挪|移|延)|postpone|delayed"),
    Cue("corrects", "the words set right what was said",
        r"更正|说错了|记错了|看错了|写错了|打错了|纠正|不是.{1,8}是|correction"),
    Cue("denies", "what was said is denied, to be set right", "^不是"),
    Cue("concludes", "what people met for, or worked at, has come to its end",
        r"[^没未不还别快要等用花卖吃喝]完(?:$|了|[^成全])|[吃喝]完(?:$|[了饭茶])|(?:处理|解决|办妥|谈妥|搞定)了?|"
        r"得(?:还?不错|很?顺利|还可以|还行|很好|一般)|"
        r"(?:报告|结果|成绩|诊断|判决|批复|答复|鉴定)[^，]{0,2}(?:出|下)来?了|"
        r"结束|收工|完成|恢复|散[了会场]|下课|over$|went (?:ok|okay|well|fine|great|smoothly|badly)|merged|wrapped up"),
    Cue("next_time", "it is the time after", r"下次|下回|下一次|next time"),
    Cue("minutes", "the heading of notes on what took place",
        r"(?:^|[^等求要给有没到])(?:反馈|纪要|会议记录|小结|观后感|战报|日记)$"),
    # what kind of thing it is
    Cue("decides", "a decision is told",
        r"(?:^|[^出])结论|决定|(?:讨论|商量|权衡|考虑|合计|比较|研究)(?:下来|一番|再三)|"
        r"(?:商量|合计|讨论)了一下$|(?:^|[^没自])选了[^一半几好]|挑中|选中|就按[^，]|"
        r"(?:方案|提案|预算|申请|议案|决议)[^，]{0,3}(?:通过|获批|批了)|went with|opted for|settled on|"
        r"(?:想|考虑|盘算)好了$|想通了$|拿定主意|打定主意|[^约预订指特固稳不没说否待一肯规]定的$|"
        r"^(?:decision|rule)|rule$|敲定|拍板|选定|决策|规则[:：]?$|达成(?:一致|共识)|一致(?:同意|通过)|"
        r"同意[我了]|松口了?$|批准|点头了|就这么定|定下|会定的|[商议谈讲]定|"
        r"[谈讲说][妥]|谈[拢好定]|改用|商量好|定(?:了|下)?[^的\s，]{0,5}(?:方案|版本|款)|"
        r"(?:我们?|就|最后|最终|还是)选了|最终(?:选|用|采用|确定)|拒绝?了|放弃了|退出了|"
        r"确定(?:用|走|采用|不)|那就(?:说|定|用|选|按|不|这么|这样|先)|" + _latin("decided|agreed (?:to|on)|going with")),
    Cue("settles", "it is fixed", r"(?:^|[^一肯稳规固鉴预约协特指否待不说])定了(?:$|[^\d])"),
    Cue("arranges", "a place, a ticket, a post or an hour is secured",
        r"预约|[约挂报抢排订]上|约[了好我在]|约的[\d下周这明后]|订[了好位]|定[在于]|"
        r"[定排摆安放](?:了|在|到)[\d下周这明后星礼本]|说好|抢[到了].{0,3}(?:票|号|位|座|名额)|抢到了$|"
        r"(?:票|号|名额).{0,2}抢到|"
        r"买[到了好].{0,4}票|票.{0,3}(?:买|订)|报[了上]?名(?:$|了)|报了[^，]{0,8}(?:班|场|团|课|赛|考|营)$|"
        r"挂[了上]?号|请柬|请帖|邀请|喜帖|排[了到]|"
        r"(?:offer|通知书?|录取).{0,2}(?:收到|拿到|下来|到)|(?:收到|拿到)了?.{0,4}(?:offer|通知|录取)|"
        r"(?:排班|班表|课表|日程|日期|考场|名单|时间).{0,3}(?:出|下来|定)了?|"
        + _latin("booked|scheduled")),
    Cue("duty", "it must be done",
        r"要[干做弄]的|再不[交发来办弄改签报还付给买修写]|"
        r"^(?:我们?|还|又|也|都|今天|明天|今晚|下午|这周|周末)*得(?:给|把|找|跟|换|带|配|重新|赶紧|抓紧|尽快|"
        r"先|再)|(?:要|得|该)[^，是么点]{0,3}(?:联系|回复|提交|办理|准备|整理|打扫|申请|报名|缴纳|归还|复印|"
        r"打印|确认)|(?:要|得|必须)(?:全部|都|统统|一次)(?:交|寄|发|还|付|买|办|备|填|写)|"
        r"(?:得|必须|要)(?:给|把|跟)[^，]{1,8}(?:结|付|还|交|清|缴|报|寄|转|补)(?:了|掉|上|给|$)|"
        r"(?:要|得|该|去)(?:赶紧|赶快|尽快|马上|先|再)?去?"
        r"(?:买|取|寄|还|缴|办|洗|修|填|写|改|提交|申请|复习|背|准备|打电话|联系|回复|整理|打扫|续|充|付|补|订|"
        r"报|交)|抢[^到了].{0,8}票|"
        + _any(
            "要交 得交 该交 必须 务必 记得 别忘 待办 一定要 截稿 截标 截单 封账 关账 截止 到期 届满 过期 续费 "
            "报销 需要 还款 缴费 交费 充值",
               "todo|ddl|deadline|due|remember|rmb|gotta|need to|have to|must|don't forget")),
    Cue("waits", "something else must come first", r"(?:[要得还]|只能|先|必须)等(?:$|[^一下会儿等着你您我他她])"),
    Cue("rules_out", "a time at which it cannot be",
        r"(?:[号日天午上周点]|[周期拜][一-鿿])(?:我|也|就|都|可能|肯定)?(?:不行|不成|不方便|没空|没时间|来不了|"
        r"去不了|来不及|排不开|撞了)"),
    Cue("wavers", "whether to do it is not settled",
        r"(?:还|到底|要)?(?:去|来|见|约|聚|吃|爬|打|看)(?:不|还是不)(?:去|来|见|约|聚|吃|爬|打|看)|要不要去"),
    Cue("falls_due", "a time at which a thing owed is handed in ends the clause",
        r"[号日](?:自动|要|就)?(?:代扣|划扣|扣款?)(?:$|[^分])|[^，]后再?(?:付|交|还|补|结清?)$|"
        r"[号日天初末底](?:就?[要得该]|必须|之?前)?(?:交|还|缴|付|续|结)[^，了给]{0,6}(?:费|款|租|金|贷|税|钱|"
        r"保险|医保|社保|作业|报告|材料|论文|稿|卡)$|"
        r"[号日天一二三四五六七八九十末底周点](?:就?[要得该]|必须|之?前|就)?(?:上?交|提?交|缴|还|付|"
        r"交[货稿付卷差]|出厂|出货|报[送上]|返还|归还|录|截)$"),
    Cue("reminds_tail", "what was said before is not to be forgotten",
        r"^(?:你|大家|都|可|千万|先)*(?:别忘了?|记得|切记|务必)[哈啊哦呀了吧]*$"),
    Cue("errand", "a small thing to be seen to",
        r"[打回]个?电话|换(?:证|驾照|护照|身份证|卡)|去趟|跑一?趟|补货|取(?:快递|件|药|钱|衣服|货)|"
        r"寄(?:快递|件|东西)|买[^到了单]|还书|缴|报销|[去要]修|修[一下车]|洗[车衣澡]|办(?:理|证|卡)|充值|打印|"
        r"复印|"
        r"开票|补[交办货]|催|续(?:费|合同|签)|打扫|收拾|扫尘|签字|(?:^|[^修])改[^到至成在为约期签天了的]|写[^了]"),
    Cue("told_to", "someone tells the user to do it", r"(?:让|催|叫|喊|通知)我|[^纪需必]要我|"
        r"(?:导师|老师|老板|领导|主任|客户|甲方|经理|[一-鿿]总|财务|hr|公司|学校|单位|院里|区里|上面|房东|物业|"
        r"银行|法院|编辑)(?:等着|急着|那边|说)?(?:今天|明天|后天|这?周[一-鿿]|下周[一-鿿]?|月底|"
        r"[^，]{1,4}前)?(?:就|又)?(?:要|催)[^来去开走回到]{0,8}(?:报告|总结|材料|方案|表|数据|清单|计划|稿|图|"
        r"名单|报价|ppt|发票|单|证明|书|费)"),
    Cue("reminds", "the user wants to be reminded", r"提醒(?:下|我|一下|$)|叫我(?:起|醒|一下|$)|remind"),
    Cue("pledges", "the user gives their word",
        r"(?:^|[^没未不])答应|应承|^(?:[你您]们?)?(?:就|请)?放心[吧啦哈好了]*$|准时(?:送|到|交|给)|如期|按期交|"
        r"(?:一定|肯定|准|保准)(?:给|送|交|办|弄|搞|修|做|赶|发|寄|出|到)|"
        r"欠[^，]{1,4}(?:一|两|个|[\d]+)[份张篇个顿本套]|保证|承诺|一定给|包在我|"
        r"我来(?:负责|搞|弄|写|做|办|处理|出|跟)|我负责|我来?跟进?$|说[了好].{0,14}给|"
        r"(?:跟|和|同|与|向|对|给)[^，]{1,6}(?:说|讲|约|谈)(?:好|定)了?.{0,10}(?:给|发|交|寄|送|出)|promise"),
    Cue("others_word", "someone else gives their word", "^" + _SOMEONE + "(?:也|都|已经)?(?:答应|保证|承诺)"),
    Cue("gives", "something is handed over",
        r"[交报]给?[^，了通换流易代往警电叉给]{1,5}(?:科|处|部|室|局|院|所|办|中心|公司|学校|系统|行)$|"
        r"给(?:$|[^我力])|(?:发|交|寄|递|传|送|转|还|回复|提交|分享)"
        r"(?:给|到|你|您|他|她|[a-z]{2,}|[小老阿]|[一-鿿](?:姐|哥|总|老师|导|工))|"
        r"(?:陪|帮|请|接|教|带)(?:你|您)|发(?:大家|各位|群)|"
        r"(?:写|改|做|弄|画|剪|整理|翻译|准备|补|搞)(?:完|好|定|齐)|"
        + _any(
            "发出[来去] 发过[来去] 出具 出稿 出图 出方案 出[^，]{0,4}意见 出[^，]{0,2}报告 发群 交稿 交付 "
            "交房 交货 交图 交工 提交 出稿 出图 寄出 补上 上传 回你 回您 还你",
               "send|deliver|submit|share|finish|fix|ship|get you|get him|get her|get them|get back to")),
    Cue("hands_you", "it is the one addressed who gets it",
        r"(?:给|发|交|寄|转|传|回|送|带|还)[到返去回]?[给到]?[你您]们?(?:$|[^自的])|" + _latin(
            "(?:send|get|give|bring|ping|update|email|reach|show|deliver|ship|mail|forward|"
            "share)[a-z ]{0,24} you|let you know|get back to you")),
    Cue("gives_client", "one for whom one works is to get it",
        r"(?:给|发|交|寄|送|传|转|回|出|send|email)[给到过去]?[^，]{0,2}?" + _CLIENT),
    Cue("vocative", "someone is called by name",
        r"^@?(?:(?:hi|hello|dear|hey) [a-z ]{2,16}|"
        r"[一-鿿]{1,3}(?:姐|哥|总|生|太|小姐|先生|女士|老板|律师|阿姨|师傅|妈妈|爸爸)|"
        r"[小老阿大][一-鿿])[您你好早]{0,2}$"),
    Cue("gives_you", "it goes to the one addressed, or to one named",
        r"放(?:在|到)?[你您]|(?:发|寄|送|交|传|转|回|send|email|share|forward)(?:了|过)?(?:去|到|给|"
        r"返给)(?:[你您]|客|" + _CLIENT +
            r")|(?:给|发|交|寄|转|传|回|还)到?[你您]|[你您]邮箱|(?:发|交|给)了?[a-z]{2,}|"
            r"(?:发|交|给)[小老阿].了$|"
        r"(?:给|交|发给|寄给)[一-鿿]{0,2}(?:姐|哥|总|老师|导|工|律师|医生|经理|主任)"),
    Cue("addressed", "the words go to the one who gets it",
        r"您|请(?:查收|过目|审阅|确认|注意查收)|查收|烦请|麻烦|辛苦|^(?:hi|hello|dear)(?:[^a-z]|$)|"
        r"^[a-z]{2,12}$|please|fyi"),
    Cue("own_duty", "it is a duty of one's post",
        r"总结|汇报|报销|作业|周报|月报|日报|成绩|评语|论文|essay|assignment"),
    Cue("owes", "a thing that one owes or hands over", _any(
        "修改版 返修 大修 小修 效果图 施工图 图纸 初版 答复 成绩 评语 教案 卷子 学时 社保 医保 保险 保教费 "
        "班费 停车费 滞纳金 罚款 账单 税 prd 报告 汇报 文档 方案 合同 报价 发票 作业 论文 初稿 终稿 稿 简历 "
        "材料 表格 申请 ppt 代码 设计稿 原型 视频 照片 资料 数据 清单 邮件 总结 周报 月报 日报 "
        "标书 房租 水电 学费 物业费 信用卡 花呗 贷款 尾款 押金 钱 快递 礼物 单子 报销 补充页 摘要 开题 周记 "
        "心得 教案 病历 offer draft report slides deck "
        "invoice essay paper homework")),
    Cue("acquires", "a thing is bought, sent or paid",
        r"(?:续费|报销|缴费|交费|还款|充值|转账)[了好]|"
        r"(?:^|[^出开爆头沙批触揭蒸])发(?:好|完|到|出|出去|过去|上去|群里|齐|走)?(?:了|啦|咯)|"
        r"(?:买|交|提交|寄|付|缴|还|转|上传|投|填|订|续|充|取|领|批)(?:好|完|到|出|出去|过去|上去|群里|齐|"
        r"走)?(?:了|啦|咯)|(?:寄|发|递|交)出$|"
        r"(?:发|寄|传|交|提交|上传|转|还|付|汇|退|报)(?:给[一-鿿]{1,4}|"
        r"[一-鿿]{0,4}(?:主任|科长|处长|院长|校长|部长|书记|教练|医生|班主任|姐夫?|群里?|邮箱|系统|平台|法院|"
        r"学校|公司|老师|经理|哥|姐|总|导|组长|客户|甲方|编辑|家长|财务|人事|律师|房东|物业|领导|老板|"
        r"同事))了$|交[一-鿿]{1,5}(?:科|处|部|室|局|院|所|办|中心)了$|"
        r"(?:转账|付款|支付|缴费|报名|提交|还款|上传|申请|预约)成功|"
        r"(?:已|已经)(?:买|发|交|提交|寄|付|缴|还|转|上传|投|填)|附件[是为]|见附件|"
        r"在(?:共享盘|网盘|群文件|邮箱里|云盘)|在群里(?:了|$)|"
        + _latin("sent|submitted|paid|bought|uploaded|attached|available|graded")),
    Cue("receives", "it has come to the user", r"(?:收|拿|领)(?:到|齐)(?:了|$)"),
    Cue("works_off", "a work is finished",
        r"(?:写|改|画|剪|整理|翻译|填|备|刷|背|复习|选|抄|批|录|算|核|收拾|赶|办|续|缴|打印|登记|注册|上报|"
        r"归档)(?:完|好|齐)(?:了|啦|$)|(?:流程|手续|审批|盖章|备案)[^，]{0,3}(?:走|办|弄|搞|批)(?:完|好|齐)|"
        r"(?:作业|代码|文档|报表|bug|表)[^，]{0,2}(?:做|修|弄|搞)(?:完|好)"),
    Cue("hands_in", "what is owed is entered, settled or handed in",
        r"(?:录|补|交|结|清|报|缴|还|付|盖|批|核|对|填|归|寄|做|写|弄|改)(?:完|好|齐|上|掉)?(?:了|啦)(?:$|"
        r"[^一两三几半点些个下])|(?:开|封|印|装|拟|审|配|备|编|排|贴|校|导|打包|签)(?:完|好|齐)(?:了|啦)"),
    Cue("serves", "something is done for the one addressed, on the spot",
        r"(?:给|为|帮|跟|和|向|陪)(?:[你您]们?|" + _CLIENT +
            r")(?:现场|当面|上门|再|先|一起)?(?:做个|演示|展示|讲|介绍|培训|安装|调试|示范|汇报|检查|量|看房|"
            r"测|装|修|面谈|过一遍|对一下|接风|庆祝|庆生|送行|换药|上课|补课|验收)"),
    Cue("cannot_give", "it cannot be handed over", r"(?:发|交|给|寄)不(?:出|了|过)"),
    Cue("limit", "a limit in time",
        r"[日号天周月点半底末节庆旦秋夕午明暑寒假班学盘市场考课工餐饭会一二三四五六七八九十\d]前(?:$|"
        r"[^面台天年几些者两])|[周天月时日]内(?:$|[改交写发完做给提返回])|之内|以内|"
        + _any("之前 以前 截止 截至 不晚于 最晚 最迟 到期 届满 期限", "by|before|due|deadline|ddl")),
    Cue("from_now_on", "a rule that holds from now on",
        r"(?:从|自)(?:今天|明天|今晚|今早|现在|今日|明日|即日|下周一?|这周|本周|今年)[^，]{0,2}(?:起|开始)|"
        r"即日起|今后|^(?:以后|往后)[^再说见有没想的，]|(?:以后|往后)(?:都|一律|每|不|要|改|就|得)|一律|"
        r"自.{2,14}起(?:由|实行|执行|施行|不再|统一|担任)|from now on|going forward"),
    Cue("lays_down", "the heading of a rule", r"(?:规定|规则|新规|制度|约定|规矩)$"),
    Cue("lasts", "how long it went on",
        r"了(?:整整|差不多|快|将近)?[一二两三四五六七八九十半几好\d]+(?:个|多个|来个)?多?(?:上午|下午|早上|"
        r"晚上|天|夜|小时|钟头|分钟|宿|周|星期|月|年)"),
    Cue("recurs", "it comes again and again",
        r"每(?:个?(?:周|星期|礼拜|天|月|晚|早|次|年))|隔[天日周]|weekly|daily|monthly|every"),
    Cue("agrees", "people have agreed on it",
        r"(?:说|商量|讲|谈|约|讨论)好了?$|[^约预订指特固稳不没否待一肯规]定(?:了|的|下来了?)$|达成"),
    Cue("turns_into", "one thing takes the place of another, or is chosen",
        r"(?:改|换|变|定)(?:成|为|用|走)|由.{1,10}担任|改由|"
        r"(?:由|从)[^，]{1,12}(?:降|升|增|减|涨|调|提|缩|加)(?:到|为|至|成)|就(?:定|选)[^，好了在吧个]"),
    Cue("lists", "several things in a row", r"[^、]{2,}、[^、]{2,}|[^/\d\s] ?/ ?[^/\d]|[^，]{2,}；"),
    Cue("breaks", "something goes wrong", _any(
        "爆管 爆裂 破裂 渗水 冒水 进水 积水 漏油 漏气 脱落 塌了 倒塌 困人 困梯 被困 卡死 断裂 失火 起火 触电 "
        "停摆 瘫痪 报警$ 死机 不制冷 不制热 不通电 没反应 打不着 黑屏 蓝屏 花屏 闪退 失灵 报警了 报错 罢工了 "
        "短路 漏电 跳闸 冒烟 断线了 断了网 连不上 开不了机 打不着火 熄火 抛锚 打不开了 没信号了 卡在海关 "
        "被打回 被退回 被拒 吵翻 吵架 出岔子 出问题 断电 断网 爆胎 翻车 死机 打起来 吵起来 打架了 受伤 晕倒 "
        "摔倒 被偷 被骗 走丢 磕破 烫伤 扭伤 炸了 崩了 挂了$ 挂了[^电机号断] 卡住了? 宕机 [搞弄摔碰]?坏了 丢了 "
        "漏水 停电 停水 出事 出故障 车祸 追尾 着火 崩溃了 烧了 发烧 摔 骨折 延误",
        "down|outage|broke")),
    Cue("activity", "what people do together, or by appointment", _any(
        "演练 演习 开标 竞标 彩排 排练 考级 体测 秋游 郊游 野餐 典礼 仪式 剪彩 扫墓 上坟 祭祖 拜年 团圆饭 "
        "年夜饭 团建 论坛 峰会 验收 交房 踏勘 考察 调研 督导 迎检 家访 走访 "
        "洗牙 补牙 产检 胃镜 肠镜 会诊 查房 理疗 推拿 面签 过户 验房 量房 交底 试镜 试讲 说课 听课 教研 盘点 验货 验厂 "
        "同学会 同乡会 座谈会 交流会 分享会 研讨会 推介会 订货会 招聘会 宣讲会 双选会 茶话会 庆功会 动员会 "
        "启动会 晚会 庙会 灯会 年会 校友会 碰头会 班会 科务会 院务会 支部会 股东会 董事会 家委会 家庭会 "
        "会议 开会 例会 早会 晨会 周会 组会 评审 面试 考试 笔试 答辩 开题 上课 讲座 培训 复盘 演讲 汇报 路演 "
        "展 演出 音乐会 演唱会 话剧 电影 比赛 球赛 竞赛 决赛 初赛 复赛 预赛 单打 双打 混双 接力 半马 全马 "
        "马拉松 "
        "小测 测验 月考 期中 期末 模考 补考 驾考 路考 课 饮茶 换班 聚餐 聚会 吃饭 饭局 火锅 烤肉 烧烤 晚饭 "
        "午饭 晚餐 午餐 早餐 宵夜 婚礼 生日 满月 葬礼 体检 复查 复检 复诊 门诊 看病 看牙 拔牙 打针 疫苗 补针 "
        "手术 "
        "化验 抽血 挂号 值班 夜班 白班 上班 加班 交班 调休 出差 航班 飞机 高铁 火车 动车 机票 车票 签约 "
        "签合同 上线 发布 提测 灰度 发版 搬家 看房 收房 "
        "装修 家长会 早自习 晚自习 看班 监考 开学 放学 接娃 春游 补班 运动会 健身 瑜伽 游泳 跑步 夜跑 晨跑 "
        "晨练 打球 踢球 羽毛球 乒乓球 网球 唱歌 滑雪 滑冰 划船 打牌 爬山 骑车 徒步 露营 旅游 旅行 回家 回国 "
        "拜访 客户 见面 集合 碰头 直播 录制 采访 拍摄 "
        "约 入住 退房 开幕 开业 开庭 报到 入职 离职 毕业 广场舞 合唱 麻将 钓鱼 理发 美容 剪头发 保养 年检 "
        "维修 安装 送货 休假 请假 年假 值日 kickoff",
        "meeting|standup|sync|review|interview|exam|class|lecture|lunch|dinner|flight|demo|deploy|release|"
        "launch|dentist|"
        "doctor|appointment|workshop|party|gym|call|seminar|drinks|movie|brunch|webinar|viva|thesis")),
    Cue("acts", "a verb of doing", _DO),
    Cue("goes", "someone goes, comes or does",
        r"[去来到回飞见吃喝看跑打考面聊谈开搬签上练骑爬溜走休碰接送陪]|出(?:发|院|差|报告|$)"),
)  # fmt: skip

_CUE_PATTERNS = PatternSet([cue.pattern for cue in CUES])


def clause_cues(clauses: pd.DataFrame) -> pd.DataFrame:
    """Which cues stand in each clause: one bool column a cue, rows as in `clauses`."""
    words = clauses["text"].str.rstrip("!！~ ").str.lower().tolist()
    found = zip(CUES, _CUE_PATTERNS.found_in(words), strict=True)
    return pd.DataFrame({cue.name: is_there for cue, is_there in found}, index=clauses.index)
