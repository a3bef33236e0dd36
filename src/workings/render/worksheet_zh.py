"""Chinese words of exercises; ``worksheet_en.py`` holds the same keys with the same fields."""

from __future__ import annotations

WORDS: dict[str, str] = {
    "worksheet.title": "练习：{title}",
    "worksheet.name": "姓名：______________________________",
    "worksheet.task": "请算出留空的 {n} 个数，写在括号编号的后面；编号请保留。",
    "worksheet.decimals": "小数写不尽的，保留 {places} 位。",
    "worksheet.exact": "每个数都是有限小数，请写全。",
    "worksheet.forms": "也可以写成分数、根式或百分数。",
    "worksheet.key": "答案：{title}",
    "worksheet.cell": "{address}（{label}）",
    "worksheet.answer": "({n}) {cell}：{answer}",
    # 交回来的练习
    "worksheet.marked": "共 {n} 个空，已填 {answered} 个：{parts}。",
    "worksheet.marked.none": "共 {n} 个空，一个都还没填。",
    "worksheet.all_right": "全部正确。",
    "worksheet.so_far": "已填的都正确。",
    "worksheet.answers": "逐空批改",
    "worksheet.blank": "空",
    "worksheet.what": "是什么",
    "worksheet.written": "填的",
    "worksheet.verdict": "批改",
    "worksheet.right": "应为",
    "worksheet.nothing": "",
    "worksheet.empty": "还空着 {n} 个：{blanks}。",
    "worksheet.number": "({n})",
    "worksheet.is.exact": "正确",
    "worksheet.is.correctly_rounded": "正确（已舍入）",
    "worksheet.is.consistent": "正确（中间用了舍入过的数）",
    "worksheet.is.follows": "算法对，但用了前面的错答案",
    "worksheet.is.truncated": "截断了，没有舍入",
    "worksheet.is.wrong": "错误",
}
