"""Words by which a question shows what it asks for: one row a family of words, with its meaning.

`words` are plain words, longest match first; `forms` are patterns for what a word list cannot say (a gap between two
words, a character that must not follow). Text is matched folded: simplified, half-width, lower case, quotes blanked.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from temporal_recall.dataflows.language.planner_people import NAMED_PERSON

GAP = r"[^,。?!;\n]"
"""One character inside a clause of folded text."""


@dataclass(frozen=True, slots=True)
class WordFamily:
    """Words that show one thing."""

    name: str
    meaning: str
    words: str = ""
    forms: tuple[str, ...] = ()


def family_pattern(family: WordFamily) -> re.Pattern[str]:
    """One pattern for a family: its forms, then its words, the longest first.

    Word boundaries are those of ASCII, so that an English word may stand beside a Chinese one: 「还有什么due」.
    """
    words = sorted(family.words.split(), key=len, reverse=True)
    return re.compile("|".join((*family.forms, *_listed(words))), re.ASCII)


def _listed(words: list[str]) -> tuple[str, ...]:
    """One pattern for a list of words, if any; their first characters stand before them, since most places hold none."""
    if not words:
        return ()
    firsts = re.escape("".join(dict.fromkeys(word[0] for word in words)))
    return (f"(?=[{firsts}])(?:{'|'.join(re.escape(word) for word in words)})",)


_WH = "(?:什么|啥|谁|哪|几|多少|怎么|怎样|咋)"
_DEED = "[做干办忙去见吃喝玩看读跑买逛写学搞弄住睡开参走碰遇听修改忙花拍练]"
_DUTY = (
    "(?:能|来得及|顾上)?(?:做|完成|弄|写|办|交|还|付|解决|搞|处理|回|落实|跟进|兑现|履行|结清|审|看|读|改|发|寄|"
    "买|订|收尾|干|忙|落地|动|开始"
    "|清|关|报|收|达成|达标|请|取|给)(?:完|好|掉|清|定|出去|上|复|销|工)?(?!过)"
)
"""What one may have left undone."""

SUMMING_UP = r"总结(?!大?会|报告|材料|稿|ppt)"
"""Sums up; as part of a name it is what a thing is called: 「半年总结会」."""

_TIMES = "(?:[一两三几多好]?[次回场])?"
_HEART_TO_HEART = f"[过了完]?{_TIMES}[话心]"
"""After 谈: a talk as something done, whatever was said in it."""

SPEAKER = (
    WordFamily(
        "first_person",
        "the user speaks of himself, alone or with others",
        "咱 俺 本人",
        (
            r"(?<![帮给替陪教自])我",
            r"(?<!你)自己",
            r"\b(?:i|i've|i'd|i'm|i'll|my|me|mine|we|we've|we're|our|(?<!the )us)\b",
        ),
    ),
    WordFamily(
        "wh_word",
        "asks for something unknown",
        (
            "什么时候 什么样 什么 啥时候 啥 谁 哪儿 哪里 哪些 哪个 哪天 哪家 哪位 哪次 哪种 哪款 哪本 哪几 哪 几个 "
            "多少 如何 怎么样 怎么 怎样 咋样 咋 干嘛 干吗 为何 多久 多大 多长 何时 何地 "
            "边个 边度 边位 边间 点解 点样 几时 几多 乜 咩 嘛事"
        ),
        (
            r"(?<=到)好久",
            r"多[远高重快晚早长深厚宽]",
            r"几(?:[次本件条场位项点号家笔份篇门步天趟顿回封通单首张面样口]|小时|公里)?(?![乎率何])",
            r"\b(?:what|what's|who|who's|whom|when|when's|where|where's|which|how|why|anything|anyone|any)\b",
        ),
    ),
    WordFamily(
        "asks_when",
        "asks when a thing is",
        "什么时候 啥时候 几时 何时 几号 哪天 哪日 几点 几个钟头 周几 星期几 礼拜几 多久",
        (r"\bwhen(?:'s)?\b", r"(?<=到)好久", r"哪[几两]天"),
    ),
    WordFamily(
        "yes_no",
        "asks whether",
        "有没有 是不是 是否 有无 来着 对不对 系咪",
        (
            r"(?:[吗嘛]|(?<![什怎这那多])么)\s*[。!~～…]*$",
            r"[吗么呢]\s*,",
            r"\?",
            r"(?:没[有得]?|(?<=[\u4e00-\u9fff])不|了未)\s*$",
            r"有没(?=[\u4e00-\u9fff])",
            r"是[^,。?]{1,10}还是|(?P<either>[\u4e00-\u9fff])[\u4e00-\u9fff]?还是[^,。?]{0,3}(?P=either)",
            r"(?P<whether>[\u4e00-\u9fff])了?[没不](?P=whether)",
            r"(?:结果|下文|后续|回音)呢",
            r"\b(?:did|do|does|is|are|was|were|have|has|am) (?:i|we|my|there|our)\b",
        ),
    ),
    WordFamily(
        "look_back",
        "asks for a look back over what has been",
        "回顾 梳理 盘点 汇总 回忆 复盘一下 复盘下 归纳 盘一盘 盘一下 捋一捋 捋一下 捋捋 捋一遍 过一遍",
        (
            SUMMING_UP,
            r"^复盘|(?:帮我|给我)复盘",
            r"(?:写|出|生成|整理|做|拟)(?:一?[份个篇]|一下)?[^,。?怎么]{0,8}(?:周报|日报|月报|总结)(?!怎|模板|格式)",
            r"\b(?:recap|summari[sz]e|summary|review|rundown|overview|walk me through)\b",
        ),
    ),
    WordFamily(
        "retrieval_request",
        "asks for a look into what is kept",
        (
            "列出 列一下 列举 罗列 看看 看一下 看下 查一下 查查 查下 找一下 找找 找出 找回 告诉我 说说 讲讲 翻一下 "
            "翻翻 调出 整理一下 数一数 说一说 讲一讲 查一查 看一看 找一找 数一下 理一理 理一下 提醒我一下 "
            "帮我想想 拎出来 挑出来 发我 发给我 给我看 再给我"
        ),
        (
            r"\b(?:list|show me|tell me|remind me (?:what|who|when|where|which|how)|find|look up)\b",
            r"列[个张份]?(?:清单|表)",
        ),
    ),
)

TELLING = (
    WordFamily(
        "say_verb",
        "told, asked or mentioned something",
        (
            "提到 提起 提及 提出 聊天 讨论 告诉 回复 答复 吐槽 抱怨 念叨 唠叨 唠过 唠了 唠的 交代 "
            "交待 嘱咐 叮嘱 反馈 透露 转告 商量 沟通 原话 提问 请教 咨询 请示 倾诉 打听 谈到 谈起 谈及 谈的 谈拢 谈崩 "
            "讲到 讲起 讲过 讲了 讲的 发言 表态 争论 强调 解释过 解释的 解释了 宣布 通知 警告 评价 提议 批评 传达 "
            "催 夸 倾过 倾了 倾偈 听说了 听说过"
        ),
        (
            (
                r"(?<![小听传据再没难好话比解细来学胡瞎图])说(?!真|白了|不准|明(?!天|早|晚|后|年)|法|服|不定|"
                r"实话|句|话|谎|一遍|"
                r"一下|说|起来|道理|不上|得过去)"
            ),
            r"聊(?!得来|城|斋|聊)",
            r"(?<=[天周月晚午回])听说",
            r"(?<!拉)提[过了的]|(?<![的次场回])汇报",
            rf"(?:跟|和|与|同|找|在)[^,。?]{{1,8}}(?<![面洽])谈(?!判|恋|资|{_HEART_TO_HEART})|"
            rf"(?<![面洽])谈[过了](?!{_TIMES}[话心])",
            r"(?<![学疑访慰顾质反询])问(?!题|号|卷|候|答|世|道|一?下|问)",
            r"(?:跟|和|对|向|给|同)[^,。?]{1,8}讲",
            (
                r"\b(?:say|said|says|mention(?:ed)?|talk(?:ed)?|talking|discuss(?:ed)?|chat(?:ted)?|tell|told|"
                r"ask(?:ed)?|complain(?:ed)?|brought? up)\b"
            ),
        ),
    ),
    WordFamily(
        "write_verb",
        "put words down: typed, searched, sent",
        (
            "输入 打字 键入 敲过 敲了 敲的 敲下 原文 搜过 搜了 搜的 搜索过 搜索了 复制 粘贴 发过 "
            "发了 发的 发给 群发 留言 写给 写过 写了 写的 写下 回给 打的字 手打 码的字 码过 打过 打出 打了什么 打了啥"
        ),
        (
            r"(?<![复检抽排审调巡筛])查[过了的]",
            r"(?:打|敲|码)[过了]?[^,。?]{0,5}(?:字|话|句|文字|地址|网址|链接|命令|词)",
            r"\b(?:type|typed|typing|wrote|searched?|google[d]?|paste[d]?|copied|texted|messaged|input)\b",
        ),
    ),
    WordFamily(
        "promise_verb",
        "bound himself, or someone bound himself",
        "答应 承诺 保证 应承 许诺 许下 揽下 应下 应了 打包票 拍胸脯 夸下海口 包在我身上",
        (r"说好了?(?:要|给|帮|替|请|陪|带|还)", r"\bpromise[ds]?\b", r"\bcommit(?:ted)? to\b", r"\bagreed to\b"),
    ),
    WordFamily(
        "told_assistant",
        "what passed between the user and the assistant",
        "咱俩聊 我俩聊",
        (
            (
                rf"(?:让|叫|请|要|托|麻烦|跟|和|同|对|向|问|求|给|交代)过?你{GAP}{{0,8}}(?:的|过|了|来着|什么|啥|哪|几|"
                rf"多少|谁)"
            ),
            (
                r"你[^,。?你]{0,8}(?:推荐|建议|说|提|回答|告诉|讲|列|写|查|教|发(?![布明展生现])|给|总结|分析|"
                r"整理|做|算|翻译|介绍|"
                r"帮)[^,。?你]{0,6}?(?:的|过|了|来着)"
            ),
            r"你[^,。?]{0,4}(?:建议|推荐|回答|答复|说法)(?:是|有|了|过|$)",
            (
                r"\b(?:you (?:said|told|suggested|recommended|gave|wrote|sent)|(?:asked|told|ask|tell|"
                r"talk(?:ed)? (?:to|with)) you|with you)\b"
            ),
        ),
    ),
)

KEEPING = (
    WordFamily(
        "decide_verb",
        "settled something",
        (
            "敲定 拍板 选定 商定 议定 约定 说定 谈妥 谈定 定案 定稿 拿定 选中 达成 改主意 改变主意 变卦 变主意 否决 "
            "决策 决议 共识 结论 拍定 落定 谈下来 说好 商量好 商量定 讲好 谈好 统一的 规定的 确认的 约好的"
        ),
        (
            r"决定(?!论|性|因素|系数|书|权|着)",
            r"(?<!不)确[定认]了?(?=的|了|下来|好|过|哪|什么|几|没)",
            r"怎么定|改[了过][^,。?]{0,3}主意",
            (
                r"(?<![搞肯一固稳约确决说商选敲谈鉴锁绑奠预设假规特指限法否坚])定(?=下|了|的|好|过|完|哪|谁|什么|啥|"
                r"几|多少|成)"
            ),
            r"(?<![挑筛精当竞大候入落普])选(?=的|了|过|哪|谁|什么)",
            (
                r"\b(?:decide[ds]?|decision[s]?|settled?(?: on)?|agreed(?: on)?|chose|chosen|picked|conclusion[s]?|"
                r"resolved to)\b"
            ),
        ),
    ),
    WordFamily(
        "create_verb",
        "newly put something on record",
        "新建 新增 创建 添加 记下 立下 登记 存下 收藏 保存 标记 排进 排上 录入 下单 写进 新写 新约 新订 新签 新招 新接",
        (
            (
                r"(?<![忘惦登牢笔])记(?=了|过|的)|记录(?=了|过|的|下|几|哪)|"
                r"(?<![参增更油班])加(?=了|的)(?!了[^,。]{0,3}[班油薪急])|"
                r"(?<![修组搭扩重创团])建(?=了|的|过)|(?<![独成确])立(?=了|的)|(?<![内库现保])存(?=了|的|过)|"
                r"列(?=了|的)|设(?=了|过)|(?<!安)排(?=了|的)"
            ),
            r"\b(?:did|do) (?:i|we) (?:add|create|save|note|log|record)\b",
            r"\b(?:create[ds]?|added|noted?(?: down)?|recorded|jotted|logged|saved|wrote down|bookmarked)\b",
        ),
    ),
)

PLANNING = (
    WordFamily(
        "plan_noun",
        "what stands in the diary",
        (
            "安排 计划 行程 日程 日历 规划 打算 议程 排期 档期 课表 预约 约会 饭局 应酬 会议 例会 周会 早会 晨会 "
            "站会 待办 任务 事项 聚会 聚餐 航班 车次 会要开 活动 班次"
        ),
        (
            r"(?<![结布格邮药警当大残棋骗牌时法银书])局(?!势|部|面|限|长|域|促|外|中)",
            (
                r"有(?:没有|无)?(?:什么|啥|哪些|几个|几场|些什么|些啥|个|多少|其他|别的|重要的?|要紧的?)*(?:约|会|"
                r"局|课)(?!诊|议室|稿|员|计)"
            ),
            r"(?:几点|什么时候|啥时候|哪天)有",
            r"(?:小?组|部门|项目|需求|进度|碰头|内部|班|月|全员|复盘|立项|启动|动员|股东|董事|家长)会(?![计议员])",
            r"有(?:没有)?[^,。?]{1,8}的会(?=[吗么没呀啊]*\s*(?:[?。]|$))",
            r"有(?:没有)?(?:什么|啥|哪些|[几一]?[个场门节趟])(?:考试|面试|聚会|比赛|讲座|演出|培训|体检|手术|"
            r"航班|聚餐|饭局|课|牙医|门诊|复诊|评审|飞机|答辩|汇报)",
            r"(?:什么|哪些|哪个|几个|几场|啥|[点天周一二三四五六日午晚早]的?)会(?!议室|员|计|不会|[有是在下来去被发])",
            (
                r"\b(?:plans?|planned|schedule[ds]?|calendar|agenda|itinerary|appointments?|meetings?|to-?dos?|"
                r"tasks?|events?|upcoming|coming up|on my plate)\b"
            ),
        ),
    ),
    WordFamily(
        "matter",
        "asks for matters of whatever kind",
        "有事 啥子事 难忘 特别的 特殊的 异常的 意外的 不一样的 糟心的 开心的 遗憾的 件事 哪些事 什么事 啥事 "
        "几件事 几个事 哪几件事 什么事情 哪些事情",
        (
            r"\bwhat(?:'s| is) (?:on|planned|next)\b",
            r"\banything (?:to do|on|planned|happening|going on)\b",
        ),
    ),
    WordFamily(
        "things_about",
        "asks for whatever has to do with something",
        "有关的 相关的 关于",
        (r"的事(?:情|儿)?\s*[?。]?$",),
    ),
    WordFamily("recent", "a time just gone by, without bounds", "最近 近来 这阵子 这段时间 这些天 这些日子"),
    WordFamily(
        "plan_verb",
        "is going to, must, means to",
        ("下次 下回 下一次 早起 排满 打算 准备 将要 即将 轮到 空不空 忙不忙 有空 有时间 没空 得空 抽空 要忙 接下来"),
        (
            (
                rf"(?<![不主需重想只紧首])要(?!求|是|紧|点|素|闻|不是|么|事|命|我|你|他|了)(?:跟|和|与|找|给|向|对|"
                rf"陪|带|送|接|替|为|在|"
                rf"去)?{GAP}{{0,4}}?(?:[做干办忙去见开看买写出跑面接送打回聊谈说讲问弄搞飞赶学读考住交还付签拜参处准跟带陪约吃喝玩完提汇报值上发寄传到]|"
                rf"完成|参加|准备|处理|体检|出差|评审|面试|值班|上课|接待|答辩|加班|演出|复查|复习|开会)(?:什么|"
                rf"啥|哪里|哪儿|哪|谁|几|嘛)?(?:吗)?"
            ),
            r"(?<![觉记懂值显舍晓获免])得(?:做|干|办|去|见|开|处理|参加|跑|写|买|弄|搞|跟|给)(?:什么|啥|哪)?",
            r"(?:想|该|会|须)(?:做|干|办|去|见|开|参加|忙|来)(?:什么|啥|哪|谁)?",
            r"还(?!有|没|是|不|差|剩|欠)[^,。?]{1,6}(?:吗|么|不)\s*\??$",
            r"(?<![不机社开])会(?:去|见|来|在|有)",
            (
                r"\b(?:going to|gonna|will i|will we|have to|need to|supposed to|do i have|do we have|am i (?:doing|"
                r"meeting|free|seeing|going)|are we (?:doing|meeting)|next)\b"
            ),
        ),
    ),
    WordFamily(
        "moved",
        "an affair was put off, and to when is asked",
        "",
        (
            rf"(?:改|挪|调|推迟?|延期?|延后|提前|顺延|换)(?:到|成|至|在)(?!第|哪一?[步版章页]){GAP}{{0,3}}(?:哪|"
            rf"几|什么|啥|多|好久)",
        ),
    ),
    WordFamily(
        "appointment",
        "made a date with someone",
        "约了 约好 约的 约过 约在 约到",
        (r"(?<![大预签条节制赴契合违])约(?=谁|哪|几|什么|上|人|[^,。?]{1,3}(?:吃|喝|见|打球|看|食|饮))",),
    ),
)

OWING = (
    WordFamily(
        "due_word",
        "has a deadline",
        "截止 截至 到期 期限 几号交 几号还 哪天交 哪天还 死线 最晚 最迟 deadline ddl 待交 待还 逾期 过期 超期 "
        "还款 还贷 缴费 交租 扣款",
        (
            (
                r"(?:要|得|该|需|必须|需要|应该|应当|务必)(?:先|上|补|再|我|都)?(?:交|还(?!有|在|没|去|开|是|要|不)|"
                r"付|缴|提交|归还|续费|完成|办完|做完|写完|弄完|搞定|回复|答复|给出|发出|寄|结清|退(?!休)|补交|报销|"
                r"递交|签完|审完|看完|读完|改完|搞完|赶完|忙完|收尾|上线)"
            ),
            (
                r"(?:之前|以前|(?<=[今明后]天)前|(?<![之以天年几阵些段面往期者])前)(?:我|我们|还|都|一定|务必|"
                r"是)*(?:要|得|必须|该|"
                r"需要|应该)"
            ),
            r"(?:什么时候|啥时候|哪天|几号|几点)(?:要|得|该|前)?(?:(?:交(?!房|接|付)|还(?!有|在|没|去|开|是|要|能)|缴|扣|付|到期)(?!的|了|过))",
            r"非[^,。?]{1,4}不可",
            r"要(?:交|给|发|寄|还)给?[^,。?]{1,6}的(?=[\u4e00-\u9fff])",
            r"要(?:交|付|还|退)?给(?![^,。?]*[买做带讲说送准备看打])[^,。?]{1,5}(?:什么|啥|多少|哪)",
            r"\b(?:due|deadlines?|overdue|hand in|turn in|owe)\b",
            rf"\b(?:need to|have to|must|supposed to|should|got to)\b{GAP}*\b(?:by|before)\b",
        ),
    ),
    WordFamily(
        "unresolved",
        "is not finished yet",
        (
            "未了 未结 待解决 待完成 还差 还剩 还欠 欠着 欠谁 拖着 拖到 拖了 悬着 悬而未决 挂着 卡着 搁置 遗留 落下 "
            "忘了做 忘做 忘记做 漏了 漏掉 没着落 没动静 没下文 没影"
        ),
        (
            rf"(?:还没有?|尚未|未|没(?:能|来得及|顾上|怎么|去)){_DUTY}",
            rf"没有?(?:给|跟|和|帮|替|把|向)[^,。?]{{1,6}}?{_DUTY}",
            rf"没有?{_DUTY}(?=的|了吗|[啊呢呀吧]*\s*(?:\?|。|,|$))",
            r"还有(?:什么|哪些|啥|几|多少)[^,。?]{0,8}没[^有,。?]{1,2}(?:完|好|掉|上)?(?=的?\s*(?:[?。]|$))",
            r"\b(?:what's|what is|anything|what|things?) left\b",
            (
                r"\b(?:unfinished|unresolved|outstanding|pending|not done|undone|incomplete|haven't (?:i |"
                r"we )?(?:done|finished|completed|sent|replied)|still (?:open|need|have|owe)|left to do|"
                r"open (?:items|tasks|todos))\b"
            ),
        ),
    ),
    WordFamily(
        "done_query",
        "asks whether a thing got done",
        "",
        (
            (
                r"(?:做|办|交|写|弄|搞定|完成|还|发|处理|解决|兑现|落实|付|买|订|回|寄|报|改|签|结|收|修|请|取|拿|"
                r"领|装|洗|打|约|退|换|充|缴|给)(?:完|好|出去|上|掉|清)?(?:了)?(?:没[有得]|没|吗|不)\s*\??$"
            ),
            r"[了过]没[有得]?[呢啊呀嘛]?\s*[?。]?$",
            r"(?P<did>(?!有)[\u4e00-\u9fff])了?没(?P=did)[呢啊呀]?\s*[?。]?$",
            r"(?:审核|审批|评审|批|报名|成绩|结果)[^,。?]{0,2}[过下出]来?了[吗么]\s*[?。]?$",
            r"(?:下来|出来|回来|过来|回去|上去|到货|到账)没有?\s*\??$",
            r"\b(?:done|finished|completed) yet\b",
        ),
    ),
)

HAPPENING = (
    WordFamily(
        "past_mark",
        "the predicate is marked as past or under way",
        "来着 了吗 了没 了未",
        (
            r"[\u4e00-\u9fff](?<![为除算罢极对到就])了(?![解不如然得断]|\s*[。!]?$)",
            r"[\u4e00-\u9fff](?<![为除算罢极])了\s*[?。!]?$",
            r"[a-z]\s?[了过](?![解])",
            (
                r"[\u4e00-\u9fff](?<![通经超不难透错跳越好])过(?!去|来|年|节|期|程|敏|渡|分|滤|关|夜|冬|夏|生日|度|"
                r"头|[几两一]?(?:天|会儿|阵|周|个月))"
            ),
            (
                r"(?<![现正存所实放住])在(?:忙|写|研究|干|做|弄|搞|看|读|学|玩|聊|想|跑|折腾|鼓捣|捣鼓|准备|处理|(?<![点候天号]在)哪|"
                r"谁|家|跟|和|一起)"
            ),
            (
                rf"(?<![有些])(?:谁|哪儿?|哪里|几点|什么时候|怎么|一起)(?!安排|计划|"
                rf"打算){GAP}{{0,4}}[^么些啥里儿要]的(?:\s*[?呢啊]*$|饭|晚饭|午饭|酒|电影|课|公司|家|卡|车|门|"
                rf"单|班|酒店|票)"
            ),
            r"[\u4e00-\u9fff](?<![我你他她它们有要好])的(?:是谁|哪|谁|(?:什么|啥)(?!时候))",
            r"[查测量验问谈]出来?(?:什么|啥|几|多)",
            r"^(?![^,。?]*(?:有|要|会))[^,。?]+[\u4e00-\u9fff]没有?\s*\??$",
            r"有没有?(?:吃|去|做|跟|给|把|来|交|发|打|见|买|喝|带|关|锁|收|付|写)(?![^,。?]{0,6}的)",
            r"(?:几号|周几|星期几|礼拜几|多久)[^,。?\s的]{1,4}的\s*$",
            r"什么时候[^,。?]{1,6}的|(?:什么时候|哪天|几号|哪年|多久以前)的事",
            r"[做办写读看弄搞吃跑谈签交改审忙]完的",
            r"(?<!有)没有?(?:来|去|到|见|参加|谈|收到|赶上|吃|喝|睡|提)",
            r"\b(?:did|was|were|went|met|happened|have i|have we|been|"
            r"(?!need|feed|speed|scheduled|planned|booked|supposed)\w{3,}ed)\b",
        ),
    ),
    WordFamily(
        "measured",
        "ranks one's own doings by how much, how far, how late",
        "",
        (
            rf"{_DEED}(?![生校术])[^,。?的]{{0,4}}?得?最[多少远近久长短晚早快慢贵勤](?=的?(?:[是一那几哪次天]|"
            rf"\s*(?:[?。]|$)))",
        ),
    ),
    WordFamily("that_time", "points back at a time as gone by", "那天 那几天 那会儿 那阵 那段时间 那晚 当天"),
    WordFamily(
        "happening",
        "what came to pass",
        (
            "发生 经历 收获 进展 进度 完成情况 成果 产出 成就 出什么事 出了什么 出啥 出了啥 花费 开销 花销 动态 "
            "变动 心得 战果 去向 动向 周报 日报 月报 工作总结 年终总结 述职"
        ),
        (r"\b(?:happened|happen|accomplish(?:ed)?|been up to|worked on|working on|got done|progress)\b",),
    ),
    WordFamily(
        "known_person",
        "someone the user knows",
        "",
        (NAMED_PERSON,),
    ),
    WordFamily(
        "own_circle",
        "a place or group of the user's own",
        "家里 办公室 群里 组里 团队 部门 单位 学校 班里 宿舍 工地 店里 会上",
        (
            r"(?:我们|咱们?|我|在|回|到|去|来)公司|公司(?:里|内|这边|群)",
            r"(?:我们|咱们?|我)(?:店|厂|院|所|校|班|系|部门?|组|队|村|社区|小区|楼|单元|家)(?![都也有])",
            r"\b(?:office|team|at work|at home)\b",
        ),
    ),
    WordFamily(
        "own_matter",
        "what a person keeps an account of, by its noun",
        "生活 消费 开销 花销 开支 照片 步数 体重 睡眠 日记 笔记 邮件 消息 记录 聊天 作业 论文 项目 代码提交",
        (r"工作(?!日)",),
    ),
    WordFamily(
        "affair",
        "what people attend, by its noun",
        (
            "飞机 航班 高铁 火车 动车 牙医 门诊 复诊 体检 面试 评审 评审会 复盘 考试 培训 汇报 聚餐 聚会 饭局 吃饭 "
            "婚礼 生日 年会 家长会 答辩 演讲 路演 谈判 签约 例会 周会 晨会 早会 站会 开会 会议 课 讲座 团建 演出 "
            "挂号 手术 复查 打针 换药 拆线 疫苗 运动会 追悼会 听证会 评议 年检 军训 验收 开工 完工 住院 出院 约会 拜访 出差 面谈 值班 排练 比赛报名 试镜 产检 电费 水费 房贷月供 下班 接机 接站 接人 "
            "立项 主持 家访 公开课 监考 开庭 量房 交房 交底 彩排 联欢 年夜饭 尾款 定金 货款 电话 来电 外卖 "
            "还款 房租 房贷 信用卡 水电费 物业费 学费 话费 保险费 账单 工资 年假 快递 包裹"
        ),
        (
            r"几点的[车船票场会课]",
            r"(?:第[一二三]个|[几那这哪]个|[几那这哪]场|[天周一二三四五六日午晚早]的)会(?!员|议室|不会|去|来)",
            (
                r"\b(?:flight|train|dentist|doctor|interview|exam|standup|stand-up|1on1|1:1|one-on-one|sync|demo|"
                r"lunch|dinner|party|class|trip|retro|review meeting|kickoff)\b"
            ),
        ),
    ),
    WordFamily(
        "deed",
        "what one does, is or meets, in whatever tense",
        (
            "干嘛 干吗 见面 碰面 出差 旅行 旅游 加班 健身 锻炼 运动 面试 体检 上班 请假 值班 拜访 参加 参与 出席 "
            "完成 做完 读完 看完 写完 上线 搞定 折腾 鼓捣 捣鼓 在一起 跟谁 和谁 同谁 与谁 哪些人 怎么过 睡觉 起床 "
            "办公 居家 出门 到家 回家 通宵 熬夜 熬到 花在 几点睡 几点起 迟到 错过 开会"
        ),
        (
            rf"{_DEED}[了过到完的]{{0,2}}(?:些|点)?{_WH}",
            rf"{_DEED}(?:过|了)?(?:哪|几|多少|些|什么)",
            r"那[顿趟通桌](?!时|话|常|知)",
            r"(?:哪[一]?[天周月年]|我)[^,。?]{0,4}最(?:忙|累|闲|空|困|充实|开心|难熬)|"
            r"最(?:忙|累|闲|空)的(?:是?哪?一?天|时候)",
            rf"谈{_HEART_TO_HEART}|食[^,。?]{{0,2}}饭|返工|放工|饮[^,。?]{0, 3}[茶酒]|行街",
            (
                r"加[^,。?]{0,4}班|请[^,。?]{0,3}假|睡[^,。?]{0,3}觉|吃[^,。?]{0,3}饭|跑[^,。?]{0,3}步|"
                r"见[^,。?]{0,3}面|洗[^,。?]{0,3}澡|开(?:了|过|完|的|个|几|多少|什么|哪些|场|次)*会(?!议)"
            ),
            r"(?<=我)(?:都|也|还|到底|究竟)?(?:去|见|吃|买|看|跑|做|干|玩)",
            (
                r"\b(?:i|we) (?:do|did|go|went|meet|met|see|saw|eat|ate|buy|bought|read|watch|finish|finished|"
                r"complete|completed|worked|spend|spent|was|been)\b"
            ),
        ),
    ),
)

WEIGHT = (
    WordFamily(
        "important",
        "asks for what matters",
        (
            "重要 要紧 大事 紧要 紧急 重大 重点 首要 要事 头等 优先 注意 留意 当紧 关注 不能忘 别忘 不能错过 "
            "要命 急事 急活 火烧眉毛 上心 正经事 高优 p0 不容忽视 要盯 需要盯 值得一提 值得记 亮点 要害 至关重要 "
            "不可错过 不能耽误 耽误不得 硬仗"
        ),
        (
            (
                r"\b(?:important|urgent|critical|crucial|key|significant|major|big (?:things?|events?|deal)|"
                r"priorit(?:y|ies)|notable|matter(?:s|ed)?|noteworthy|highlights?)\b"
            ),
            r"(?<![着不别])急的",
            r"关键(?!词|字|帧|路径)",
            r"值得[^,。?]{0,3}(?:盯|关注|注意|留心|上心|操心|重视|看重)",
        ),
    ),
)

HISTORY = (
    WordFamily(
        "earlier_adverb",
        "points back to an unstated time before",
        (
            "上次 上回 上一次 最近一次 先前 此前 当初 当时 那时候 原来 原先 起初 起先 最初 一开始 早先 早前 从前 "
            "曾经 早就 头一次 上一版 往常 历次 以往 之前那"
        ),
        (
            r"(?<![天日号周月年点末底初节庆秋午旦期班课晚早夕阳一])(?:之前|以前)",
            r"(?<![一二三四五六日天末号月周年])那[次回]",
            r"第一次(?![^,。?]{0,8}(?:怎么|什么好|啥好|要|该))",
            r"\b(?:last time|previously|originally|back then|earlier|once|(?<!day )before)\b",
        ),
    ),
    WordFamily(
        "outcome_adverb",
        "points to how a matter came out or has stood since",
        "后来 最终 到底 一直 一贯 向来 历来 终于 到头来 如今",
        (
            r"最后(?!一|[几两]|期限)",
            r"\b(?:in the end|eventually|finally|ended up|end up|always)\b",
        ),
    ),
    WordFamily(
        "settled",
        "a matter of choice or agreement, whether a verb of deciding is said or not",
        (
            "决定 敲定 拍板 说好 说定 约定 商定 谈妥 谈定 定下 定了 定的 定成 选了 选的 选择 选定 确认 统一 达成 "
            "结论 理由 原则 共识 方案 叫什么 换成 改成 改用 换了 放弃 采用 用的 用了 用哪 选哪 处理 坚持 规定 答应 "
            "承诺 解决 讨论完 商量好 谈好 讲好 谈下来 命名 取名 起名 选型 排期 口径 标准 怎么定 定哪 定什么 底线 "
            "规矩 守则 条款 放不放 用不用 上不上 做不做"
        ),
        (
            (
                r"\b(?:decide[d]?|decision[s]?|agree[d]?|settle[d]?|chose|choose|pick(?:ed)?|conclusion|named?|"
                r"go with|went with|rationale|reason)\b"
            ),
        ),
    ),
    WordFamily(
        "reason",
        "asks why it was settled so",
        "理由 为什么 为啥 原因 为何 依据 凭什么 怎么考虑",
        (r"\b(?:why|reason|rationale)\b",),
    ),
    WordFamily(
        "comparison",
        "sets one thing against another",
        (
            "对得上 对不上 差多少 差多远 冲突 一致 矛盾 相比 对比 偏差 出入 落后 超前 吻合 相符 符合 差距 类似 "
            "一样吗 变没变"
        ),
        (r"\b(?:conflicts?|compare[d]?|versus|vs|match(?:es)?|differ(?:s|ent)?|similar)\b",),
    ),
)

ASKING = ("wh_word", "yes_no", "look_back", "retrieval_request", "done_query")
"""Families of words by which something is asked for."""

ALL_FAMILIES = (*SPEAKER, *TELLING, *KEEPING, *PLANNING, *OWING, *HAPPENING, *WEIGHT, *HISTORY)
"""Every family that marks what a question asks for."""
