"""Words of what needs no recall, however many times of day it names: tasks, code, language, public facts, small talk.

A row with `yields_to` is no trap where one of those families of `planner_words` is found too: 「昨天那场球赛我跟谁看的」
is about the user's own day.
"""

from __future__ import annotations

from dataclasses import dataclass

from temporal_recall.dataflows.language.planner_words import GAP, WordFamily
from temporal_recall.dataflows.language.planner_world import PUBLIC_LIFE, WEATHER, WORLD_DEED

_ARTIFACT = (
    "邮件|信|文案|文章|作文|诗|词|歌词|故事|小说|段子|笑话|脚本|代码|函数|程序|正则|公式|sql|查询语句|提示词|"
    "prompt|简历|演讲稿|发言稿|致辞|祝福|祝词|贺词|检讨|请假条|通知|公告|标题|大纲|方案|议程|计划书|剧本|对联|"
    "食谱|菜谱|"
    "攻略|课程表|时间表|训练计划|学习计划|健身计划|复习计划|减肥计划|旅行计划|ppt|表格|模板|测试|单测|用例|评论|"
    "推文|朋友圈|申请|声明|合同|欠条|口号|谜语|短信|开头|结尾|段落|接口|页面|爬虫|组件|demo"
)
_ARTIFACT_EN = "essay|email|letter|poem|haiku|story|song|script|function|code|regex|query|report|tweet|plan|test|page"


@dataclass(frozen=True, slots=True)
class Trap:
    """One reason not to recall: the words that show it, and the families that outweigh it.

    One that `is_of_its_clause` says nothing of a later clause in which the user asks of himself.
    """

    family: WordFamily
    yields_to: tuple[str, ...] = ()
    is_of_its_clause: bool = False


_NOT_ASKED = "(?!哪|几|什么|啥|多少|谁|了)"
"""After a command to change something: one who asks what it was changed to commands nothing."""

_TOLD = ("told_assistant", "say_verb", "write_verb")
_OWN_PAST = (*_TOLD, "promise_verb", "decide_verb", "create_verb")
_OWN_LIFE = (
    *_OWN_PAST, "appointment", "due_word", "unresolved", "deed", "earlier_adverb", "past_decision", "own_circle",
)  # fmt: skip
"""What makes a matter of the world one's own: 「昨天那场球赛我跟谁看的」."""


_LOOK = "(?:看|查|列|找|告诉|说|讲|数|理|捋|回忆|回顾|翻|汇总|总结|梳理|盘|过一)"
"""Asks to look, which sets nothing."""

TRAPS = (
    Trap(
        WordFamily(
            "language_task",
            "translate, polish, explain or judge words",
            (
                "翻译 润色 改写 语病 造句 近义词 反义词 同义词 下一句 上一句 出处 典故 怎么读 怎么念 拼音 什么意思 "
                "啥意思 是何意 成语 歇后语 谚语 英文怎么说 英语怎么说 用英文 用英语 用日语 译成 译为 病句 语法 "
                "错别字 续写 仿写 扩写 缩写"
            ),
            (
                (
                    r"(?:英文|英语|日语|日文|法语|德语|韩语|粤语|文言文|书面语|口语)(?:里)?(?:怎么|咋|如何)(?:说|讲|"
                    r"表达|写)"
                ),
                r"\b(?:translate|proofread|paraphrase|rephrase|polish|synonym|antonym)\b",
                r"改(?:得|成|写得)?(?:更|再)?(?:正式|口语|简洁|委婉|礼貌|通顺|客气|专业|书面)|"
                r"(?:正式|委婉|礼貌|简洁|客气|口语化?|通顺)一?[点些]",
                r"^解释(?:一下)?|\b(?:meaning of|mean in|what does .{1,40} mean)\b",
            ),
        ),
        ("told_assistant",),
    ),
    Trap(
        WordFamily(
            "phrase_question",
            "asks about a phrase at hand, or whose saying it is",
            "",
            (
                r"(?:这|那)(?:句|个词|个字|首诗|个成语)",
                r"(?:英语|英文|中文|宋词|唐诗|诗词|文言文)里|的意思\s*$|是谁[说写]的\s*\??$|是什么梗|出自哪",
            ),
        ),
        (*_TOLD[:1], "first_person", "known_person", "own_circle", "affair", "plan_noun"),
    ),
    Trap(
        WordFamily("model_text", "asks for a text of a kind, as a pattern", "模板 范文 范本 样例 例文", ()),
        (*_TOLD, "create_verb", "known_person"),
    ),
    Trap(
        WordFamily(
            "just_said",
            "asks for more of what was just answered",
            "",
            (
                r"你(?:听|看)?(?:懂|明白|理解|清楚)了?[吗没]",
                rf"(?:刚|刚才|刚刚|方才|上面|前面|以上)(?:你)?(?:说|讲|提到?|给|写|列)?的?{GAP}{{0,10}}"
                rf"(?:再{GAP}|展开|举|解释|改一|换一|翻译|缩短|扩写|精简|详细|什么意思|怎么理解|不对|没懂|没明白|"
                rf"没看懂|看不懂)",
            ),
        ),
    ),
    Trap(
        WordFamily(
            "writing_task",
            "make something new",
            "为题 命题 头脑风暴",
            (
                (
                    rf"(?:写|编|拟|起草|生成|创作|撰写|做|画|列|排|规划|设计|制定|来|出|想|整|弄|讲)(?:个|一|份|"
                    rf"几|两|三|首|"
                    rf"段|篇|封|张|条){GAP}{{0,16}}?(?:{_ARTIFACT})"
                ),
                (
                    rf"(?:帮我|给我|替我|请|麻烦)(?:们)?{GAP}{{0,10}}(?:写|编|拟|起草|生成|创作|撰写|画|设计|制定|"
                    rf"做){GAP}{{0,14}}(?:{_ARTIFACT})"
                ),
                r"(?:脚本|代码|函数|文案|文章|故事|作文|邮件|报告)(?:写|编|生成)(?:一下|出来|个)",
                r"(?:写|拟|编|画)(?:个|一(?!下)|点|段|首|篇|封|份)",
                rf"(?:给我|来)(?:几|一|点|些|个){GAP}{{0,14}}(?:点子|建议|主意|例子|模板|思路|笑话|故事|题)",
                r"写(?:[一二三四五六七八九十百千\d]+)(?:字|首|段|篇|封)",
                r"^(?:请|帮我|给我)?(?:写|编|画|生成|创作|作)(?:一(?!下)|个|首|段|篇|封|张)",
                (
                    rf"\b(?:write|tell|draft|compose|generate|create|make|design)\b (?:me )?(?:an?|some|"
                    rf"the) .{{0,40}}\b(?:{_ARTIFACT_EN})\b"
                ),
            ),
        ),
        ("told_assistant",),
    ),
    Trap(
        WordFamily(
            "setting_task",
            "set a reminder, an alarm, an event, an order",
            "闹钟 定时器 倒计时 叫醒我 喊我起床",
            (
                (
                    rf"提醒(?:一下)?(?:我|下我|大家|他|她|我们)(?!{GAP}{{0,3}}(?:什么|啥|哪|谁|"
                    rf"几))(?!一下,)(?!{GAP}{{0,20}}(?:什么|谁|哪些)\??$)"
                ),
                (
                    rf"(?:定|设|建|加|新建|创建|添加|安排|订|约|预约|预订|记)(?:个|一个|一下|上|到|进|"
                    rf"入){GAP}{{0,12}}(?:提醒|日程|日历|会议|待办|闹铃|备忘|行程|会)(?!里?的|了)"
                ),
                (
                    rf"(?:帮我|给我|替我|请(?!问|假|客|教|示|的)|"
                    rf"麻烦)(?!{GAP}{{0,5}}?{_LOOK}){GAP}{{0,14}}(?:定|订|约|建|加|设|买|"
                    rf"预约|预订|挂|叫(?!什么|啥)|取消|推迟|改到|挪到|发(?!给?我)|寄|转账|打电话|发邮件|记一?下|"
                    rf"回一?下|回复|转发|抄送|"
                    rf"(?<![的有么])安排|提醒)(?![了过的])"
                ),
                r"(?:^|,)(?:给|帮|替|跟)[^,。?我]{1,8}(?:约|订|定|挂|叫|发|打|寄)(?:个|一|张|份)",
                (
                    rf"把{GAP}{{1,16}}(?:改到|改成|改为|调到|调成|提前到|延到|挪到|推到|推迟|加到|加进|放到|放进|"
                    rf"写进|记到|设为|设成|发给(?!我)|转给(?!我)|同步到){_NOT_ASKED}"
                ),
                rf"把{GAP}{{1,16}}(?:清空|删|去掉|归档|标成|标记|合并|导出|打印|关掉|关了|打开|换成|转成|存成|"
                rf"整理成|做成|调大|调小){_NOT_ASKED}",
                rf"(?:往|在|给){GAP}{{0,6}}(?:日历|日程|待办|清单|备忘录)(?:里|上|中)?(?:加|建|添|放|记|"
                rf"标)(?![了过的])",
                r"后(?:再)?(?:告诉|通知|提醒|叫|喊|催)我",
                rf"把{GAP}{{1,16}}(?:往|向)[前后](?:挪|推|移|调|延){_NOT_ASKED}",
                r"把[^,。?]{1,16}(?:空|腾|留)出来",
                r"(?:到时候?|到点)(?:叫|喊|提醒)我",
                (
                    r"\b(?:remind me (?:to|about|at|on|in)|set (?:an?|the) (?:alarm|reminder|timer)|wake me|"
                    r"schedule (?:an?|the)|book (?:an?|the|me)|add .{1,40} to my (?:calendar|list))\b"
                ),
            ),
        ),
        ("told_assistant",),
    ),
    Trap(
        WordFamily(
            "data_query",
            "asks how a table or a database gives something",
            "",
            (
                r"(?:sql|mysql|postgres(?:ql)?|sqlite|oracle|redis|mongo(?:db)?|pandas|excel|hive|spark|数据库|"
                r"表格)(?:里|中|怎么|如何|语句|公式|[\s的用])*"
                r"(?:查询?|统计|筛选?|过滤|获取|取|删除?|计算|算|求|导出|排序|分组|更新|插入)(?![了过到出])",
            ),
        ),
        ("told_assistant", "first_person"),
    ),
    Trap(
        WordFamily(
            "code_task",
            "programming and data handling",
            (
                "代码 函数 脚本 正则 数据库 前端 后端 接口文档 单元测试 编译 变量 数组 循环 时间戳 时区转换 格式化 "
                "报错 排查 日志显示 报错信息 命令行 控件 组件 算法 爬虫 部署 配置文件 表结构 数据库表"
            ),
            (
                (
                    r"\b(?:python|java|javascript|js|typescript|golang|rust|c\+\+|sql|mysql|postgres(?:ql)?|sqlite|"
                    r"redis|mongo(?:db)?|pandas|numpy|react|vue|django|flask|fastapi|spring|docker|kubernetes|k8s|"
                    r"nginx|linux|bash|shell|git|cron|crontab|regex|excel|vba|api|json|yaml|html|css|node|npm|"
                    r"datetime|timedelta|moment|dayjs|timestamp|debug|airflow|kafka|spark|hive|grep|awk|sed|ffmpeg|"
                    r"unix)\b"
                ),
                r"\w+\([^()]*\)|\w+\.(?:js|py|ts|java|go|sh|sql|csv|json)\b|[a-z]+_[a-z]+",
                r"(?:今天|昨天|明天|时间|日期|月份|星期)(?:算成|转成|变成|格式化|存成)",
            ),
        ),
        (*_OWN_PAST, "first_person", "deed", "earlier_adverb", "outcome_adverb", "past_decision"),
    ),
    Trap(
        WordFamily(
            "how_to",
            "asks how something is done in general",
            (
                "一般怎么 通常怎么 怎么用 怎么实现 怎么设计 怎么写 怎么做 怎么办 怎么学 怎么选 怎么取 怎么算 "
                "怎么设置 怎么安装 怎么配置 怎么删 怎么改 有哪些方法 的方法 有什么方法 有什么技巧 是什么关系 "
                "有什么区别 的区别 有什么好处 原理 什么是 有什么讲究 的由来 的来历 的意义 的定义 怎么处理比较 教我 "
                "教程 步骤"
            ),
            (
                r"(?:一般|通常|普遍|正常)(?:情况下?|来说)?(?:都|会|要|是|怎么|多久|几|用|有|问|说)",
                r"\bwhat is an? |\bwhy (?:is|are|do|does) (?!my|our)",
                r"怎么(?:过滤|导出|导入|删除|合并|拆分|转换|解析|调用|部署|编译|调试|排序|去重|判断|统计|匹配|"
                r"替换|显示|获取|撤销|升级|下载|注册|登录|开启|关闭)(?!的|了)",
                r"如何(?!\s*[?。]?$)",
                r"(?<![会试审报课谈访前])要准备(?:什么|啥|哪些|些)",
                r"为什么(?=要|会|叫|是|能|有|[^,。?我]{0,6}会)|综合[征症]",
            ),
        ),
        (
            "first_person",
            "told_assistant",
            "create_verb",
            "decide_verb",
            "earlier_adverb",
            "past_decision",
            "unresolved",
        ),
    ),
    Trap(
        WordFamily(
            "how_to_english",
            "asks in English how something is done",
            "",
            (r"\bhow (?:to|do you|does one|(?:do|can|should|could|would) (?:i|we)(?! (?:spend|feel|sleep|rate)))\b",),
        ),
    ),
    Trap(
        WordFamily(
            "advice",
            "asks for counsel or for cheer",
            (
                "怎么办 该怎么 有什么建议 给点建议 给我点建议 给些建议 出出主意 出主意 陪我 安慰 鼓励 夸夸 "
                "好不好 你觉得 你认为 该不该 应不应该 行不行 可不可以 能不能 要不要去 值不值得 适合 比较好 "
                "更好 合适 好吗 最健康 最合适 最划算 最省钱 最有效 最正宗 要不要穿 要不要带 怎么破 怎么回事 "
                "该穿 该吃 吃什么好 穿什么 "
                "吃点什么 吃啥 怎么样才 求助"
            ),
            (
                r"了,?要不要",
                r"推荐(?!的|了|过|给我的)",
                r"怎么(?:安排|规划|分配)(?=[\u4e00-\u9fff]{2})(?!的|得|好|了|过|下来)",
                rf"(?:什么|啥|哪{GAP}{{0,4}}|怎么{GAP}{{0,6}})好[呢啊呀]?\s*\??$",
                (
                    r"怎么(?:办|调整|缓解|改善|入门|学|练|提高|避免|治|预防|恢复|放松|应对|沟通|开口|拒绝|克服|减|"
                    r"瘦|补救|准备|提升|养|保持|答(?!应|复)|回答|描述|表达|介绍)(?!的|了|过)"
                ),
                r"^(?:[^我咱]*[^我咱帮])?(?:能|可以)(?:吃|喝|洗|坐|用|穿|晒|吹|运动|喂|做|带|养|"
                r"种)[^,。?我]{0,5}(?:吗|么)\s*\??$",
                r"去哪[儿里]?(?:玩|遛娃|逛|耍)(?!了|的|来着|过)",
                r"(?:吃|喝|穿)点?(?:什么|啥)(?!了|来着|的)",
                r"该(?:穿|吃|喝|选|怎么|如何|几点|多久|先)",
                r"(?:今晚|今天|明天|周末|中午|晚上|晚饭|午饭|早饭|早餐|午餐|晚餐)(?:吃|喝|穿)(?:什么|啥|点)",
                r"\b(?:should i (?:wear|eat|buy|choose|pick)|recommend|suggest(?:ion)?s?|advice|cheer me up)\b",
            ),
        ),
        ("told_assistant", "earlier_adverb"),
        is_of_its_clause=True,
    ),
    Trap(
        WordFamily(
            "about_assistant",
            "asks the assistant how it does",
            "你是谁 你们公司 你们团队",
            (
                r"你[^,。?我]{0,6}(?:为什么|怎么|干嘛|干吗)(?:不|没|总|老)",
                r"^[^,。?我]{0,4}你[^,。?我]{0,10}(?:了吗|了没|吗|怎么样|好不好|了什么)\s*\??$",
                r"^[^,。?我咱]{0,6}(?<![问跟对让和给找请教叫托求与同向])你(?![们的]|帮|给|看|查|说|觉得|知|记|"
                r"列|找|翻|讲|告诉|总结|整理|替|能|可以|把|再|先)[^,。?我咱]{1,16}\s*\??$",
            ),
        ),
        ("told_assistant", "known_person"),
    ),
    Trap(
        WordFamily(
            "help_with_this",
            "asks for help with a thing at hand",
            "帮我看看 帮我看下 帮我选 帮我分析 帮我想 帮我算",
            (),
        ),
        (
            "first_person",
            "past_mark",
            "plan_noun",
            "own_matter",
            "important",
            "matter",
            "due_word",
            "unresolved",
            *_OWN_PAST,
        ),
        is_of_its_clause=True,
    ),
    Trap(
        WordFamily(
            "role_play",
            "tells the assistant what to be",
            "扮演 假装 假设你是 叫我 称呼我",
            (r"(?:开始|现在|今天|以后)你(?:就)?(?:是|来当|当)",),
        ),
        ("told_assistant",),
    ),
    Trap(
        WordFamily(
            "in_session",
            "points at this very conversation",
            (
                "再解释 再说一遍 再讲一遍 展开讲 展开说 详细说说 继续 接着说 换一个 换个说法 再来一个 再来一段 "
                "再短一点 再改改 加上注释 上面那 上面这 上文 上一条 上一段 前一段 上一个回答 上述 第一点 第二点 "
                "第三点 第四点 这段 这个函数 你刚才 你刚刚 重新生成 重写 简短一点 改短 换成英文"
            ),
            (
                (
                    rf"^(?:刚才|刚刚|方才|上面|前面|以上)(?:你)?(?:那|这|说的|讲的|的|提到的|"
                    rf"给的){GAP}{{0,10}}(?:再|展开|解释|改|换|翻|缩|扩|加|删|继续|重新|详细|举例|不对|是什么意思|"
                    rf"什么意思|怎么理解)"
                ),
                r"^(?:上面|前面|以上)的",
                r"接着(?:刚才|上面|前面|说|讲)",
                r"\b(?:continue|go on|again|elaborate|the above|previous answer|rephrase that)\b",
            ),
        ),
        ("told_assistant", "first_person"),
    ),
    Trap(
        WordFamily(
            "greeting",
            "hello, good-bye and thanks",
            (
                "晚安 早安 午安 再见 拜拜 回头见 明天见 周一见 回见 生日快乐 新年快乐 节日快乐 周末愉快 新年好 "
                "过年好 中秋快乐 国庆快乐"
            ),
            (
                r"^(?:早上|上午|中午|下午|晚上|早|你|大家)好[啊呀呢!~。]*$",
                r"^(?:hi|hello|hey|good (?:morning|afternoon|evening|night)|thanks?|thank you)\b",
                r"^(?:谢谢|多谢|辛苦|好的|嗯|哈哈|ok)",
            ),
        ),
        is_of_its_clause=True,
    ),
    Trap(
        WordFamily(
            "arithmetic",
            "a sum whose numbers are all told",
            "",
            (
                r"\d[^,。?\d]{1,12}\d[^?]{0,24}(?:一共|总共|共|还剩|平均|合计)[^,。?]{0,6}(?:几|多少)",
                r"\d+\s*[+*/×÷=]\s*\d+",
                r"[大小]\d+岁[^?]{0,30}\d+倍|\d+倍[^?]{0,20}几岁",
            ),
        ),
    ),
    Trap(
        WordFamily(
            "calendar_fact",
            "asks the calendar itself",
            (
                "农历 阴历 阳历几 黄历 宜忌 闰年 闰月 放几天 放假几天 放假 是什么年 什么节 第几季度 第几周 "
                "放假安排 什么节日 什么节气 "
                "是哪年 几九 几伏 属什么 生肖 星座"
            ),
            (
                (
                    rf"(?:今天|昨天|明天|后天|前天|大后天|今年|明年|这周|下周|"
                    rf"{GAP}{{1,6}}[日号天月节年周])是?(?:农历|阴历|阳历|公历)?(?:几号|几月几[号日]|星期几|周几|"
                    rf"礼拜几|什么日子|哪一?天|几几年)[呢啊呀]?\s*\??$"
                ),
                rf"(?:离|距离|距|到){GAP}{{1,8}}(?:还有|还剩|差)(?:多少|几)(?:天|周|个?月|小时)",
                r"(?:离|距离?)[^,。?]{1,8}(?:多久|多长时间)",
                r"(?:春分|夏至|秋分|冬至|立春|立夏|立秋|立冬)是(?:几|哪)|的工作日|"
                r"[春夏秋冬]天什么时候(?![^,。?]*[的了])",
                r"\bwhen is (?:the )?(?:chinese|lunar|easter|thanksgiving|christmas|ramadan|diwali|labou?r day)\b",
                r"放不放(?=[一二三四五六七八九十几\d]*天|假|\s*$)",
                r"有(?:几天|几个(?:周末|星期|工作日))\s*$|"
                r"(?:五一|国庆|春节|元旦|中秋|端午|清明)[^,。?我]{0,4}(?:怎么|连着)放",
                rf"从{GAP}{{1,12}}到{GAP}{{1,12}}(?:是|有|一共|总共|共)(?:几|多少)(?:个?小时|天|分钟|周|个月)",
                r"还[有剩](?:多少|几)(?:天|周|个?月)",
                r"(?:有|是)多少(?:天|周|个?月|小时|分钟|秒)",
                r"^几点了|(?:现在|此刻)(?:是)?几点",
                r"\b(?:what (?:day|date|time) is it|days? until|how many days are|"
                r"(?:what|what's the) (?:day|date) (?:is|today)|day of the week|leap year)\b",
            ),
        ),
        ("told_assistant", "first_person", "decide_verb", "affair", "plan_noun", "known_person", "deed", "own_circle"),
        is_of_its_clause=True,
    ),
    Trap(WEATHER, _TOLD, is_of_its_clause=True),
    *(Trap(field, _OWN_LIFE, is_of_its_clause=True) for field in PUBLIC_LIFE),
    Trap(WORLD_DEED, (*_OWN_LIFE, "first_person", "known_person", "affair", "plan_noun"), is_of_its_clause=True),
    Trap(
        WordFamily(
            "nearest_place",
            "最近 as the nearest, not the latest",
            "",
            (
                rf"(?:离|距){GAP}{{0,8}}最近",
                (
                    r"最近的(?:地铁|药店|超市|医院|餐厅|餐馆|银行|厕所|洗手间|加油站|便利店|停车场|酒店|公交|咖啡|"
                    r"机场|车站|派出所|商场|公园|atm|充电)"
                ),
            ),
        ),
    ),
    Trap(
        WordFamily(
            "idiom",
            "a set phrase whose time words tell no time",
            (
                "三天打鱼 两天晒网 一日不见 如隔三秋 日久见人心 择日不如 今朝有酒 明日复明日 昨日之日 朝三暮四 "
                "朝九晚五 三天两头 一朝一夕 十年树木 百年树人 早知今日 何必当初 今非昔比 一年之计 一日之计 一寸光阴 "
                "岁月如梭 光阴似箭 昙花一现 三年五载 不日 改天 有朝一日 来日方长 一点都不 一点也不 半天没 "
                "三分钟热度 过了这村 没过几天 冰冻三尺 十年磨一剑 时间管理 "
                "年轻时"
            ),
            (
                r"(?:分钟|小时|[一二两三四五六七八九十百\d]天)(?:就能|就|内|带你)?(?:学会|速成|精通|了解|搞懂|"
                r"看懂|读懂)",
            ),
        ),
        ("told_assistant", "first_person"),
    ),
)
"""Reasons not to recall, in the order in which they are looked at."""
