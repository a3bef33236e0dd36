"""The terms of the glossary: what no declaration says is said here, once in each language."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Term:
    """A term of the field.

    Attributes:
        step, given: the step or the given array that it names; its title is taken from there.
        about: which variant of the step, where there are several: the beginning of the key of its sentence.
        en, zh: its name, where no declaration gives it.
        says: what it is, in each language; left out where explanations say it of the step or the array.
        example: a built-in example that shows it.
    """

    step: str = ""
    given: str = ""
    about: str = ""
    en: str = ""
    zh: str = ""
    says: Mapping[str, str] | None = None
    example: str = ""


def _term(en: str, zh: str, says: str, says_zh: str, example: str = "") -> Term:
    return Term(en=en, zh=zh, says={"en": says, "zh": says_zh}, example=example)


def _named(says: str, says_zh: str, *, step: str = "", given: str = "", about: str = "", example: str = "") -> Term:
    return Term(step=step, given=given, about=about, says={"en": says, "zh": says_zh}, example=example)


TERMS: tuple[Term, ...] = (
    _term(
        "attention",
        "注意力",
        "Each word asks all words it may see how well they match, and takes a mixture of what they hold, the better "
        "matches counting more.",
        "每个词问一遍它看得到的所有词有多匹配，再把它们的内容混合起来，越匹配的占得越多。",
        "kitten",
    ),
    _term(
        "self-attention",
        "自注意力",
        "Attention in which queries, keys and values all come from the same words.",
        "查询、键和值都来自同一串词的注意力。",
    ),
    _term(
        "cross-attention",
        "交叉注意力",
        "Attention in which the queries come from one text, the keys and values from another.",
        "查询来自一段文字，键和值来自另一段文字的注意力。",
        "cross-attention",
    ),
    _term(
        "token",
        "词元",
        "The piece of text that gets a vector of its own: a word, or a part of one; in a small example simply a word.",
        "文本被切成的小块，每块有自己的向量；可以是一个词，也可以是词的一部分。在小例子里就是一个词。",
    ),
    _named(
        "The vector that stands for a word; each word's is looked up in a table.",
        "代表一个词的向量，每个词到一张表里去查。",
        step="embedding",
        example="time-machine-true",
    ),
    _named(
        "A word's question as a vector: what it is looking for in the other words.",
        "一个词提出的问题，写成向量：它想在别的词里找什么。",
        step="Q",
    ),
    _named(
        "A word's label as a vector: what queries are compared with.",
        "一个词的标签，写成向量：查询就是和它比较的。",
        step="K",
    ),
    _named(
        "A word's content as a vector: what is passed on when the word is looked at.",
        "一个词的内容，写成向量：被看的时候，交出去的就是它。",
        step="V",
    ),
    _term(
        "head",
        "头",
        "One attention of its own, with its own queries, keys, values and weights; several work side by side.",
        "一套独立的注意力，有自己的查询、键、值和权重；几个头并行工作。",
        "two-heads",
    ),
    _term(
        "d_k, d_head",
        "每头维数",
        "How many numbers a query or key of one head has; d_v is the same for values, mostly equal.",
        "一个头里查询或键有几个数；值的维数记作 d_v，通常与它相等。",
    ),
    _term(
        "d_model",
        "模型维数",
        "How many numbers the vector of a word has between the layers.",
        "在各层之间传递时，一个词的向量有几个数。",
    ),
    _term(
        "layer",
        "层",
        "One round of attention, mostly with a feed-forward network behind it; the output of one is the input of "
        "the next.",
        "一轮注意力，后面通常接前馈网络；上一层的输出就是下一层的输入。",
        "encoder-six",
    ),
    Term(step="score"),
    Term(step="scaled"),
    _term(
        "logit",
        "对数几率",
        "A score as it enters the softmax, after scale, softcap and mask.",
        "进入 softmax 的得分，已经过缩放、软上限和掩码。",
    ),
    _term(
        "softmax",
        "softmax（归一化指数函数）",
        "Turns a row of scores into shares that add up to 1: e to each score, divided by the sum of these.",
        "把一行得分变成加起来等于 1 的份额：求 e 的各个得分次方，再分别除以它们的和。",
        "kitten",
    ),
    _term(
        "temperature",
        "温度",
        "What the scores are divided by before the softmax: a high one flattens the weights, a low one sharpens them.",
        "softmax 之前，得分除以的那个数：温度高，权重就平缓；温度低，权重就尖锐。",
        "temperature",
    ),
    Term(step="weight"),
    Term(step="lse"),
    Term(step="head_output"),
    _term(
        "online softmax",
        "在线 softmax",
        "Softmax worked block by block: a running maximum and sum are kept, and what was added up before is rescaled "
        "where the maximum rises.",
        "分块计算的 softmax：一边走一边记住目前的最大值与和，最大值变大时，就把前面的累加结果重新缩放。",
        "online-softmax",
    ),
    _term(
        "FlashAttention",
        "FlashAttention",
        "A way to compute attention block by block with online softmax, so that the matrix of weights is never stored.",
        "用在线 softmax 分块计算注意力的方法，从不把整个权重矩阵存下来。",
        "online-softmax",
    ),
    _term(
        "mask",
        "掩码",
        "Says who may look at whom: a score that may not count is set to −∞, and its weight becomes 0.",
        "规定谁可以看谁：不许算的得分设为 −∞，它的权重就成了 0。",
        "causal",
    ),
    _term(
        "causal mask",
        "因果掩码",
        "The mask under which each word sees itself and the words before it.",
        "每个词只能看自己和前面的词的那种掩码。",
        "causal",
    ),
    _term(
        "sliding window",
        "滑动窗口",
        "The mask under which each word sees only the nearest few words.",
        "每个词只能看紧挨着的几个词的那种掩码。",
        "sliding-window",
    ),
    _term(
        "padding",
        "填充",
        "Empty places that make texts equally long; a mask keeps them from being looked at.",
        "为了让几段文本一样长而补上的空位，用掩码挡住，不让别的词看。",
    ),
    Term(step="capped"),
    _named(
        "One logit more in every row: it takes a share of the attention and passes nothing on.",
        "每一行多出的一个对数几率：它分走一份注意力，却什么也不交出。",
        given="sink",
        example="attention-sink",
    ),
    _term(
        "attention sink",
        "注意力汇点",
        "Where attention goes that is needed nowhere else: often the first word of a text, or a logit made for it.",
        "没别处可去的注意力所去的地方：常常是一段文字的第一个词，或专门设的汇点。",
        "attention-sink",
    ),
    _term(
        "multi-head attention (MHA)",
        "多头注意力（MHA）",
        "Several heads side by side, each with its own keys and values; their outputs are joined.",
        "几个头并行，各有各的键和值，最后把输出拼在一起。",
        "two-heads",
    ),
    _term(
        "grouped-query attention (GQA)",
        "分组查询注意力（GQA）",
        "Several query heads share one set of keys and values, so that fewer have to be kept.",
        "几个查询头共用一套键和值，要保存的就少了。",
        "grouped-heads",
    ),
    _term(
        "multi-query attention (MQA)",
        "多查询注意力（MQA）",
        "All query heads share a single set of keys and values.",
        "所有查询头共用同一套键和值。",
    ),
    _term(
        "KV cache",
        "KV 缓存（键值缓存）",
        "The keys and values of earlier words, kept so that a new word need not work them out again.",
        "把前面各词的键和值留着，来了新词不必重算。",
        "kv-cache",
    ),
    _named(
        "What tells a model where a word stands, since attention alone does not see the order of the words.",
        "告诉模型一个词在哪里；光靠注意力本身，是看不出词序的。",
        step="position_encoding",
        example="sinusoidal-position",
    ),
    _term(
        "rotary position (RoPE)",
        "旋转位置编码（RoPE）",
        "Queries and keys are turned by an angle that grows with the position; a score then depends on the distance.",
        "查询和键按位置旋转一个角度，位置越靠后转得越多，于是得分与距离有关。",
        "rotary-position",
    ),
    _term(
        "ALiBi",
        "ALiBi（线性偏置）",
        "A penalty on each score that grows with the distance, at a slope of each head's own.",
        "给每个得分减去一个随距离增大的数，每个头有自己的斜率。",
    ),
    Term(step="concat"),
    _named(
        "What leaves the attention: the heads' results, mixed by the output weights where there are any.",
        "注意力最后交出的结果：有输出权重时，再乘一次输出权重。",
        step="output",
    ),
    _term(
        "residual connection",
        "残差连接",
        "What went into a stretch of the network is added to what comes out of it.",
        "把进入一段网络的数，加到它出来的数上。",
        "encoder-six",
    ),
    _named(
        "Takes the mean from each word's vector and divides by its deviation.",
        "每个词的向量减去均值，再除以标准差。",
        step="norm",
        about="layer_norm",
        example="layer-norm",
    ),
    _named(
        "Divides each word's vector by the root of its mean square; no mean is taken away.",
        "每个词的向量除以均方的平方根，不减均值。",
        step="norm",
        about="rms_norm",
        example="rms-norm",
    ),
    _term(
        "feed-forward network",
        "前馈网络",
        "Two matrices with an activation between them, for each word on its own.",
        "两个矩阵，中间夹一个激活函数，每个词各算各的。",
        "encoder-six",
    ),
    _named(
        "The bend between two matrices, number by number (ReLU, GELU, SwiGLU); without it they would be one matrix.",
        "逐个数地“弯一下”的函数，如 ReLU、GELU、SwiGLU；没有它，几个矩阵就等于一个矩阵。",
        step="ffn_act",
    ),
    _term(
        "dot product",
        "点积",
        "Two vectors multiplied number by number, and the products added up.",
        "两个向量对应的数相乘，再把乘积加起来。",
    ),
    _term(
        "cell",
        "格",
        "One number of an array, named by an address such as `weight[2,0]`; places count from 0.",
        "数组里的一个数，用 `weight[2,0]` 这样的地址来指；位置从 0 数起。",
    ),
    _term(
        "kernel",
        "内核",
        "A program that computes attention on real hardware; `workings compare` judges what it wrote.",
        "在真实硬件上计算注意力的程序；`workings compare` 判断它写出的结果。",
    ),
    _term(
        "ulp",
        "末位单位（ulp）",
        "The distance from a machine number to the next one: the unit in its last place.",
        "一个机器数到下一个机器数的距离，即最后一位的单位。",
    ),
)
