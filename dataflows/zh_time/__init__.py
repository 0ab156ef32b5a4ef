"""Time expressions in Chinese and mixed text: what the words mean, and when that is. A library without nodes.

    find_times("上周三下午跟客户吃饭", now)  ->  [TimeExpression(上周三下午, 2026-08-26 12:00 – 18:00, …)]

How a text is read
------------------

    text ── hints ──▶ script ──▶ lexer ──▶ grammar ──▶ company ──▶ discourse ──▶ resolve ──▶ telling
            no time    folded    lexemes   nodes       weak ones    which        civil       aware
            word: out                                  need it      moment       readings    instants

1. `hints` tells in under a microsecond that a text holds no time word. `script` folds traditional characters, full-width
   forms and case, position for position.
2. A **rule** (`rules_*`) is a name, the characters it begins with, a pattern and a production. `lexer` tries at each
   place only the rules that may begin there; the first that matches makes a **token** (`tokens`).
3. The main token is a **predicate over the calendar** with a grain: 八月 is "the month whose number is 8", 去年 stands
   still, one year before now. `grammar` composes: predicates side by side intersect (去年 + 八月 + 十五号), a part of the day
   reads a clock (下午 + 三点), 到 spans from one to another and the right end inherits what it leaves out, 之前 and 之后 open
   a side, lengths are laid before and after. The **nodes** say only what the words mean; they depend on nothing else and
   are remembered per text.
4. Policy stays apart (`picking`): literal, last and next reading all come out; the tense of the clause (`tense`) picks, the
   rest are alternatives, and a vague word has a core and a wide range.
5. Calendar tables are those of libraries (`almanac`, `feasts`, `feasts_abroad`). Inside the engine time is naive civil time;
   `calendar.aware` places it in the zone at the very end, where a day may have 23 hours and a midnight may be missing.

To add a rule, decorate a production in the fitting `rules_*` module and give it a phrase in `corpus`: a test asks that
every rule is hit by some phrase, and that no sentence of `corpus.LOOKALIKES` holds a time.
"""

if not __name__.startswith("temporal_recall."):  # a second copy of every class would be made
    raise ImportError(f"import temporal_recall.{__name__}, not {__name__}")

from temporal_recall.dataflows.zh_time.parse import (
    TimeWords,
    count_times,
    find_clause_times,
    find_times,
    parse_time,
    resolve_times,
    time_words,
)

__all__ = [
    "TimeWords",
    "count_times",
    "find_clause_times",
    "find_times",
    "parse_time",
    "resolve_times",
    "time_words",
]
