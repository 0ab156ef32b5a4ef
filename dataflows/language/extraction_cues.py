"""Cues: what a clause shows of its act. One row of the table is one cue: name, meaning, words.

A cue says that certain words stand in a clause, no more; `extraction_acts` says what follows from them. Patterns hold
no look-around where they can do without: pandas then searches a whole column in Arrow at once.
"""

from __future__ import annotations

from dataclasses import dataclass

import pandas as pd


@dataclass(frozen=True, slots=True)
class Cue:
    """Words that say something of the clause in which they stand."""

    name: str
    meaning: str
    pattern: str


def _words(*lists: str) -> str:
    """An alternation of the words, given separated by spaces."""
    return "|".join(word for words in lists for word in words.split())


_DELIVERABLES = (
    "PRD prd 报告 汇报 文档 方案 合同 报价 报价单 发票 报销 报销单 作业 论文 初稿 终稿 稿子 稿件 简历 材料 表格 申请表 "
    "PPT ppt 代码 设计稿 原型 视频 照片 资料 数据 清单 邮件 总结 周报 月报 日报 JD 标书 offer draft report slides deck"
)

CUES: tuple[Cue, ...] = (
    # whose act it is
    Cue("first_person", "the user is the subject", "我|咱|俺|本人|用户"),
    Cue("second_person", "the words address someone", "你|您|各位|大家|同学们|@"),
    # what stands in the way of an event
    Cue(
        "wish",
        "it is imagined, not planned",
        _words("要是 如果 假如 假设 万一 就好了 多好 好想 真想 想去 梦见 梦到 幻想 说不定 也许 或许 若是 倘若"),
    ),
    Cue(
        "question",
        "something is asked",
        "[?？吗么嘛]$|[?？]|"
        + _words(
            "什么 怎么 怎样 如何 哪 几点 谁 有没有 多少 能不能 要不要 会不会 是不是 可不可以 行不行 去不去 为啥 咋 啥时候"
        ),
    ),
    Cue("hearsay", "someone else is said to have said it", _words("听说 据说 传言 网传 好像说 原话 八卦 谣传 有人说")),
    Cue("doubt", "it may not come about", _words("悬 够呛 不一定 说不准 没准 待定 不确定 未定 可能 估计 大概率")),
    Cue("quoted_notice", "a forwarded notice", "【转发】|【通知】|^转发|^通知"),
    # how far it is
    Cue(
        "done",
        "it is over",
        _words(
            "完成 结束 搞定 弄好 弄完 办好 办完 做完 做好 写完 写好 开完 聊完 谈完 看完 读完 吃完 打完 跑完 考完 改完 交完 上完 "
            "下课 下班了 收工 到手 通过了 过了 好啦 好了 完了 完啦 已经 已发 已交 已经 已提交 已付 已还 刚刚 刚才 终于 恢复 上线了"
        ),
    ),
    Cue(
        "perfective",
        "a verb with 了 or 过",
        r"[^不没别要快该太]了(?:$|[！!。~～ \p{So}])|[^\s]了[一二两三四五六七八九十几\d]|[^不没别]过了",
    ),
    Cue("arrived", "the user is there", _words("到了 我到 到家 到店 进场 上车 登机 落地 进会议室 现场了 坐下了 签到")),
    Cue("ongoing", "it is going on", "在[^\\s，。]{1,6}(?:呢|中|着)?$|正在|着呢|进行中|还在"),
    Cue("undone", "it has not been done yet", _words("还没 没来得及 来不及 尚未 没弄 没写 没做 没交 没改 还差 没搞")),
    Cue("negated", "it is not so", "没|不|别|未|勿"),
    Cue(
        "cancels",
        "it is called off",
        _words(
            "取消 不开了 不去了 不办了 不来了 不约了 不练了 不上了 不考了 不用去 不做了 不参加 黄了 泡汤 作废 推掉 鸽了 来不了 去不了 "
            "退掉 退了 退票 cancelled canceled cancel"
        ),
    ),
    Cue("may_cancel", "it could be called off", "(?:可|能|免费|随时|别|不|会)取消|取消(?:不了|政策|险)"),
    Cue(
        "moves",
        "its time is changed",
        _words(
            "改到 改成 改在 改为 改约 改期 改至 挪到 挪至 推迟 推到 延到 延期 延后 延迟到 提前到 调到 调整到 顺延 换到 换成 改周 改明 改今 改后 改下 "
            "改上午 改下午 改晚 改线上 改星期 改礼拜 postpone reschedule moved"
        ),
    ),
    # what kind of thing it is
    Cue(
        "decides",
        "a decision is told",
        _words("结论 决定 敲定 定下来 定了 拍板 选了 选定 机定 决策 规则 达成一致 一致同意 就这么定 decided"),
    ),
    Cue(
        "arranges",
        "a place, ticket or hour is secured",
        _words(
            "预约 约了 约好 约我 约在 订了 订好 订位 定在 定于 说好 抢到 买到票 买了票 买好票 报名 报了名 挂号 挂了号 请柬 收到邀请 排班 booked"
        ),
    ),
    Cue(
        "duty",
        "it must be done",
        _words(
            "要交 得交 必须 务必 记得 别忘 别忘了 提醒 待办 todo TODO 需要交 一定要交 一定要 记一下 帮我记 ddl DDL deadline 截止 到期 "
            "续费 报销 缴费 交费 交房租 还信用卡 还款 要干的 要做的 要弄的"
        ),
    ),
    Cue("reminds", "the user is to be reminded", "提醒"),
    Cue(
        "promises",
        "the user gives their word",
        _words("答应 保证 承诺 一定给 我来 包在我 我会 我给你 我给您 发您 发你 给您 给你 发给 交给 我负责 I'll"),
    ),
    Cue(
        "delivers",
        "something is handed over",
        _words(
            "发出来 发给 发到 发您 发你 发群 发了 发出 提交 交给 交了 上传 寄出 寄给 发过去 发HR 发小 附件是 写完 改完 交稿 给"
        ),
    ),
    Cue("deliverable", "a thing that one hands over", _words(_DELIVERABLES)),
    Cue(
        "before",
        "a limit in time",
        _words("之前 以前 前给 前交 前要 前发 前写 前搞 前完 前必须 前一定 截止 截至 due by 不晚于 最晚 最迟"),
    ),
    Cue(
        "breaks",
        "something goes wrong",
        _words("炸了 崩了 挂了 卡住 宕机 坏了 丢了 漏水 停电 报警 出事 故障 车祸 摔 着火 崩溃"),
    ),
    Cue("leave", "someone is away", _words("休假 请假 年假 出差 调休 离职 last")),
)


def clause_cues(clauses: pd.DataFrame) -> pd.DataFrame:
    """Which cues stand in each clause: one bool column a cue, rows as in `clauses`."""
    text = clauses["text"]
    return pd.DataFrame({cue.name: text.str.contains(cue.pattern) for cue in CUES}, index=clauses.index).astype(bool)
