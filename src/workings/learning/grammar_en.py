"""The English stories."""

from __future__ import annotations

from workings.learning.grammar import Grammar, kinds, listed

ENGLISH = Grammar(
    lang="en",
    kinds=kinds(
        "it meowed kitten cat tabby tomcat",
        "it barked puppy dog hound terrier",
        "it quacked duckling duck drake mallard",
        "it neighed pony horse mare foal",
        "it mooed cow calf bull ox",
        "it bleated lamb sheep ewe ram",
        "it chirped sparrow finch robin wren",
        "it croaked frog toad bullfrog tadpole",
        "it roared lion tiger lioness leopard",
        "it grunted pig piglet sow boar",
        "he ruled king prince emperor duke",
        "he snored grandfather uncle farmer miller",
        "he shouted boy lad sailor shepherd",
        "she danced queen princess duchess empress",
        "she knitted grandmother aunt weaver widow",
        "she giggled girl daughter niece maid",
    ),
    openings=(
        "the {who} {met} the {other} {when}",
        "in the {place} the {who} {met} the {other}",
        "beside the {other} the {who} {rested}",
        "{when} the {who} {rested} near the {other}",
        "the {who} {ate} {food} with the {other}",
        "while the {other} {rested} the {who} {ate} {food}",
        "the {who} {ate} {food} in the {place}",
    ),
    bridges=(
        "the {thing} was {quality}",
        "over the {place} the {sky} shone",
        "{when} the {sky} was {quality}",
    ),
    turns=(
        "because {it} {does}",
        "and {it} {does}",
        "so {it} {does}",
        "until {it} {does}",
    ),
    links=(
        "then {it} {does}",
        "later {it} {does} in the {place}",
        "{when} {it} {does}",
        "in the {place} {it} {does}",
        "{it} {does} {when}",
        "{it} {does}",
    ),
    plain=(
        "the {who} {does}",
        "the {who} {does} {when}",
        "in the {place} the {who} {does}",
        "{when} the {who} {does}",
        "the {who} {does} in the {place}",
        "the {who} {rested} and {does}",
        "the {who} {ate} {food} and {does}",
        "the {who} {rested} in the {place} and {does}",
        "{when} the {who} {ate} {food} in the {place} and {does}",
    ),
    lists=listed(
        met="saw chased met followed found heard watched passed",
        rested="slept rested waited sat hid lay",
        ate="ate wanted found shared liked",
        food="fish bread apples corn cheese soup berries honey",
        place="garden forest meadow village barn valley kitchen field",
        thing="river road house bridge boat wall path tree",
        quality="cold old wide quiet bright empty small green",
        sky="moon sun",
        when="today yesterday again soon tonight",
    ),
    comma=",",
    stop=".",
)
