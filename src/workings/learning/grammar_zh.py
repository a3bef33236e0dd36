"""The Chinese stories, their words divided by spaces."""

from __future__ import annotations

from workings.learning.grammar import Grammar, kinds, listed

CHINESE = Grammar(
    lang="zh",
    kinds=kinds(
        "它 喵喵叫 小猫 花猫 黑猫 白猫",
        "它 汪汪叫 小狗 黄狗 猎狗 黑狗",
        "它 嘎嘎叫 小鸭 鸭子 野鸭 白鸭",
        "它 嘶鸣 小马 白马 黑马 老马",
        "它 哞哞叫 小牛 奶牛 黄牛 水牛",
        "它 咩咩叫 小羊 山羊 绵羊 羔羊",
        "它 叽叽叫 麻雀 小鸟 黄莺 燕子",
        "它 呱呱叫 青蛙 蛤蟆 树蛙 牛蛙",
        "它 吼叫 老虎 狮子 豹子 母狮",
        "它 哼哼叫 小猪 母猪 野猪 花猪",
        "他 下令 国王 王子 皇帝 公爵",
        "他 打鼾 爷爷 叔叔 农夫 磨坊主",
        "他 大喊 男孩 水手 牧童 少年",
        "她 跳舞 王后 公主 女皇 舞女",
        "她 织布 奶奶 姑姑 织女 寡妇",
        "她 偷笑 女孩 女儿 侄女 少女",
    ),
    openings=(
        "{who} {met} {other}",
        "{when} {who} 在 {place} {met} {other}",
        "在 {other} 旁边 {who} {rested} 了",
        "{who} {rested} 在 {other} 旁边",
        "{who} 和 {other} 一起 {ate} {food}",
        "当 {other} {rested} 的 时候 {who} {ate} {food}",
        "{who} 在 {place} {ate} {food}",
    ),
    bridges=(
        "{thing} 很 {quality}",
        "{place} 上面 {sky} 很 亮",
        "{when} {sky} 很 {quality}",
    ),
    turns=(
        "因为 {it} {does} 了",
        "所以 {it} {does} 了",
        "然后 {it} {does} 了",
        "直到 {it} {does} 了",
    ),
    links=(
        "后来 {it} {does} 了",
        "{when} {it} {does} 了",
        "在 {place} {it} {does} 了",
        "{it} {does} 了",
        "不久 {it} {does} 了",
        "{when} 在 {place} {it} {does} 了",
    ),
    plain=(
        "{who} {does} 了",
        "{when} {who} {does} 了",
        "在 {place} {who} {does} 了",
        "后来 {who} {does} 了",
        "{when} 在 {place} {who} {does} 了",
        "{who} {rested} 了 又 {does} 了",
        "{who} {ate} {food} 又 {does} 了",
        "{who} 在 {place} {rested} 了 又 {does} 了",
        "{when} {who} 在 {place} {ate} {food} 又 {does} 了",
    ),
    lists=listed(
        met="看见 追赶 遇到 跟着 找到 听到 望着 经过",
        rested="睡 休息 等 坐 躲 躺",
        ate="吃 要 找 分享 喜欢",
        food="鱼 面包 苹果 玉米 奶酪 汤 浆果 蜂蜜",
        place="花园 森林 草地 村里 谷仓 山谷 厨房 田里",
        thing="河 路 房子 桥 船 墙 小路 树",
        quality="冷 旧 宽 安静 明亮 空 小 绿",
        sky="月亮 太阳",
        when="今天 昨天 傍晚 早上 夜里",
    ),
    comma="，",
    stop="。",
)
