"""Find tokens by the prefixes that vendors document."""

import re
from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from functools import cache
from heapq import merge

from git_lerim.redaction.finders.split_tokens import joined
from git_lerim.redaction.finding import Finding
from git_lerim.redaction.value_shape import is_masked, is_random

_W = r"[A-Za-z0-9_-]"
_A = r"[A-Za-z0-9]"
_H = r"[0-9a-fA-F]"
_B = r"[A-Za-z0-9+/=_-]"
_U = rf"{_H}{{8}}-{_H}{{4}}-{_H}{{4}}-{_H}{{4}}-{_H}{{12}}"

# Rule: prefixes, pattern of the text after them. To be searched in linear time, a pattern is a
# bounded class of characters, or a chain of classes of which neighbours share no characters.
_TABLE: dict[str, tuple[str, str]] = {
    "jwt": (
        "ey",
        (
            r"[\w-]{8,300}+\.(?:ey[\w/+-]{8,8000}(?:\.[\w/+=-]{0,4000})?|"
            r"[\w-]{0,800}+\.[\w-]{8,100}+\.[\w-]{4,4000}+\.[\w-]{8,100})"
        ),
    ),
    "grafana-key": ("eyJrIjoi", rf"{_B}{{40,400}}"),
    "anthropic": ("sk-ant-", rf"{_W}{{20,200}}"),
    "openai": ("sk-proj- sk-svcacct- sk-admin- sk-None-", rf"{_W}{{16,250}}"),
    "openrouter": ("sk-or-v1-", rf"{_H}{{40,80}}"),
    "llm-key": (
        "sk- fw_ pplx- gsk_ xai- r8_ tgp_v1_ fc- tvly- jina_ nvapi- csk- voy- pa-",
        rf"(?=[^\s\d]{{0,24}}+\d){_W}{{24,200}}",
    ),
    "langsmith": ("lsv2_pt_ lsv2_sk_", rf"{_H}{{32}}_{_H}{{10}}"),
    "huggingface": ("hf_ api_org_", rf"{_A}{{30,60}}"),
    "github": ("ghp_ gho_ ghu_ ghs_ ghr_", rf"{_A}{{30,255}}"),
    "github-fine": ("github_pat_", r"\w{30,255}"),
    "gitlab": (
        (
            "glpat- gldt- glrt- glrtr- glcbt- glptt- glft- glimt- glagent- gloas- glsoat- glffct-"
            " glwt- GR1348941"
        ),
        r"[\w.=-]{16,300}",
    ),
    "gitlab-session": ("_gitlab_session=", rf"{_A}{{32}}"),
    "bitbucket": ("ATBB ATCTT3 ATATT3", rf"{_B}{{20,300}}"),
    "aws-key-id": ("AKIA ASIA ABIA ACCA", r"[A-Z0-9]{16}(?![A-Za-z0-9])"),
    "aws-bedrock": ("ABSKQmVkcm9ja0FQSUtleS1", rf"{_B}{{40,300}}"),
    "aws-bedrock-short": ("bedrock-api-key-", rf"{_B}{{20,2000}}"),
    "aws-mws": ("amzn.mws.", _U),
    "aws-appsync": ("da2-", rf"[a-z0-9]{{26}}(?!{_W})"),
    "google-api-key": ("AIza", rf"{_W}{{30,40}}"),
    "google-oauth": ("ya29.", r"[\w.-]{20,2000}"),
    "google-client-secret": ("GOCSPX-", rf"{_W}{{20,40}}"),
    "google-refresh": ("1//0", rf"{_W}{{30,150}}"),
    "slack": (
        "xoxb- xoxp- xoxa- xoxo- xoxs- xoxr- xoxc- xoxd- xoxe- xoxe.xoxp- xoxe.xoxb- xapp-",
        r"(?=[\w%.-]{0,40}\d)[\w%.-]{16,400}",
    ),
    "stripe": ("sk_live_ sk_test_ sk_prod_ rk_live_ rk_test_ rk_prod_ whsec_", rf"{_A}{{10,250}}"),
    "npm": ("npm_", rf"{_A}{{33,40}}"),
    "pypi": ("pypi-AgE pypi-", rf"{_W}{{40,1000}}"),
    "crates": ("cio", rf"(?=[A-Za-z]{{0,20}}+\d){_A}{{32}}(?!{_W})"),
    "rubygems": ("rubygems_", rf"{_H}{{48}}"),
    "clojars": ("CLOJARS_", rf"{_A}{{60}}"),
    "nuget": ("oy2", rf"[a-z0-9]{{43}}(?!{_W})"),
    "jfrog": ("AKCp cmVmd", rf"(?=[A-Za-z]{{0,40}}+\d){_A}{{55,90}}(?!{_W})"),
    "docker": ("dckr_pat_ dckr_oat_", rf"{_W}{{24,60}}"),
    "digitalocean": ("dop_v1_ doo_v1_ dor_v1_", rf"{_H}{{60,70}}"),
    "heroku": ("HRKU-", rf"{_W}{{36,80}}"),
    "fly": ("fo1_ fm1_ fm1a_ fm1r_ fm2_", r"(?=[\w-]{0,30}\d)[\w+/=-]{30,9000}"),
    "vercel": ("vcp_ vci_ vca_ vcr_ vck_ vercel_blob_rw_", rf"{_W}{{24,100}}"),
    "netlify": ("nfp_ nfc_ nfo_ nfu_ nfb_", rf"{_W}{{36,60}}"),
    "cloudflare-ca": ("v1.0-", rf"{_H}{{24}}-{_H}{{100,160}}"),
    "cloudflare": ("cfut_ cfat_ cfk_", rf"{_W}{{32,80}}"),
    "supabase": ("sbp_ sb_secret_ sbp_oauth_", rf"{_W}{{20,100}}"),
    "planetscale": ("pscale_pw_ pscale_tkn_ pscale_oauth_", r"[\w.=-]{30,70}"),
    "neon": ("napi_", r"[a-z0-9]{40,80}"),
    "databricks": ("dapi dkea", rf"{_H}{{32}}(?:-\d)?(?!{_A})"),
    "azure-openai": ("sig=", r"[\w%+/-]{40,120}"),
    "vault": ("hvs. hvb. hvr.", rf"{_W}{{20,500}}"),
    "doppler": ("dp.pt. dp.ct. dp.scim. dp.audit. dp.sa. dp.said.", rf"{_A}{{36,50}}"),
    "doppler-service": ("dp.st.", rf"(?:[a-z0-9_-]{{2,35}}\.)?{_A}{{36,50}}"),
    "1password": ("ops_eyJ", rf"{_B}{{100,2000}}"),
    "1password-key": ("A3-", r"[A-Z0-9]{6}-[A-Z0-9]{5,11}(?:-[A-Z0-9]{5,6}){3,4}"),
    "age": ("AGE-SECRET-KEY-1", r"[QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L]{50,60}"),
    "age-any": ("AGE-SECRET-KEY-", r"[A-Z0-9]{50,70}"),
    "grafana": ("glc_ glsa_", r"(?=[A-Za-z_]{0,40}+\d)[\w+/=]{30,400}"),
    "new-relic": ("NRAK- NRJS- NRII- NRIQ- NRRA- NRAA-", rf"{_W}{{19,50}}"),
    "pixie": ("px-api- px-dep-", _U),
    "datadog": ("ddapp_ ddapi_", rf"{_W}{{30,60}}"),
    "dynatrace": ("dt0c01. dt0s01. dt0s16.", r"[A-Z0-9]{24}\.[A-Z0-9]{60,70}"),
    "sentry": ("sntrys_ sntryu_ sntrya_", rf"{_B}{{40,1000}}"),
    "posthog": ("phx_ phs_", rf"{_A}{{30,60}}"),
    "sendgrid": ("SG.", r"(?=[\w=.-]{0,30}\d)[\w=-]{16,32}\.[\w=-]{16,64}|[\w=.-]{66}"),
    "sendinblue": ("xkeysib- xsmtpsib-", rf"{_H}{{64}}-{_A}{{16}}"),
    "mailgun": ("key-", rf"{_H}{{32}}(?!{_W})"),
    "resend": ("re_", rf"(?=[A-Za-z_]{{0,12}}+\d){_A}{{8}}_{_A}{{24}}"),
    "twilio": ("SK AC", rf"[0-9a-f]{{32}}(?!{_W})"),
    "shopify": ("shpat_ shpca_ shppa_ shpss_ shptka_", rf"{_A}{{32}}"),
    "shippo": ("shippo_live_ shippo_test_", rf"{_H}{{40}}"),
    "square": ("sq0atp- sq0csp- sq0atb- sq0idp- EAAAE EAAAl", rf"{_W}{{22,80}}"),
    "paypal": ("access_token$production$", rf"{_A}{{16}}\${_H}{{32}}"),
    "plaid": ("access-sandbox- access-development- access-production-", _U),
    "flutterwave": ("FLWSECK_TEST- FLWPUBK_TEST- FLWSECK- FLWPUBK-", rf"{_A}{{12,40}}(?:-X)?"),
    "razorpay": ("rzp_live_ rzp_test_", rf"{_A}{{14,24}}"),
    "adyen": ("AQE", r"(?=[A-Za-z]{0,20}+\d)[A-Za-z0-9+/=*.]{60,200}"),
    "easypost": ("EZAK EZTK", rf"(?=[A-Za-z]{{0,50}}+\d){_A}{{54}}(?!{_W})"),
    "lob": ("live_pub_ test_pub_", rf"{_H}{{28,40}}"),
    "gocardless": ("sandbox_ live_", r"(?=[A-Za-z_-]{0,30}+\d)[\w=-]{40,50}(?![\w=-])"),
    "duffel": ("duffel_test_ duffel_live_", r"[\w=-]{43}"),
    "facebook": (
        "EAACEdEose0cBA EAAG EAAM EAAC EAAB EAAD EAAI EAAL EAAJ EAAO EAAP EAAQ EAAR EAAS",
        rf"(?=[A-Za-z]{{0,60}}+\d){_A}{{80,400}}",
    ),
    "linear": ("lin_api_ lin_oauth_ lin_wh_", rf"{_A}{{32,80}}"),
    "notion": ("ntn_ secret_", rf"(?=[A-Za-z]{{0,40}}+\d){_A}{{40,50}}(?!{_W})"),
    "airtable": ("pat", rf"{_A}{{14}}\.{_H}{{64}}"),
    "asana": ("1/ 2/", rf"\d{{13,20}}(?:/\d{{13,20}})?:{_H}{{32}}"),
    "atlassian-cloud": ("ATOA", rf"{_B}{{50,300}}"),
    "figma": ("figd_ figo_ figoh_", rf"{_W}{{36,60}}"),
    "postman": ("PMAK-", rf"{_H}{{24}}-{_H}{{34}}"),
    "prefect": ("pnu_ pnb_", rf"{_A}{{36}}"),
    "pulumi": ("pul-", rf"{_H}{{40}}"),
    "readme": ("rdme_", r"[a-z0-9]{60,80}"),
    "sonar": ("squ_ sqp_ sqa_", rf"{_H}{{40}}"),
    "sourcegraph": ("sgp_local_ sgp_", rf"(?:{_H}{{16}}_)?{_H}{{40,66}}"),
    "sourcegraph-cody": ("slk_ sgd_", rf"{_H}{{64}}"),
    "snyk": ("snyk_uat. snyk_sat.", r"[\w.-]{30,200}"),
    "stackhawk": ("hawk.", rf"{_W}{{20}}\.{_W}{{20}}"),
    "scalingo": ("tk-us-", rf"{_W}{{48}}"),
    "settlemint": ("sm_pat_ sm_aat_ sm_sat_", rf"{_A}{{16}}(?!{_W})"),
    "infracost": ("ico-", rf"(?=[A-Za-z]{{0,20}}+\d){_A}{{32}}(?![\w.-])"),
    "intra42": ("s-s4t2ud- s-s4t2af-", rf"{_H}{{64}}"),
    "octopus": ("API-", r"(?=[A-Z]{0,20}+\d)[A-Z0-9]{26,32}(?![\w-])"),
    "openshift": ("sha256~", rf"(?=[A-Za-z_-]{{0,40}}+\d){_W}{{43}}(?!{_W})"),
    "buildkite": ("bkua_ bkat_ bkct_", rf"{_A}{{36,60}}"),
    "circleci": ("CCIPAT_ CCIPRJ_", rf"{_A}{{16,40}}_{_H}{{40}}"),
    "terraform": ("atlasv1.", r"[\w=-]{60,70}"),
    "mapbox": ("pk.eyJ sk.eyJ tk.eyJ", rf"{_W}{{20,250}}\.{_W}{{16,60}}"),
    "discord-mfa": ("mfa.", rf"{_W}{{84}}"),
    "dropbox": ("sl.u. sl.", rf"(?=[A-Za-z_-]{{0,40}}+\d){_W}{{120,2000}}"),
    "yandex": ("AQVN YCA YCM YCP t1.", rf"(?=[A-Za-z_.=-]{{0,35}}+\d)[\w.=-]{{35,300}}(?!{_W})"),
    "alibaba": ("LTAI", rf"(?=[A-Za-z]{{0,20}}+\d){_A}{{16,24}}(?!{_W})"),
    "tencent": ("AKID", rf"(?=[A-Za-z]{{0,32}}+\d){_A}{{32,36}}(?!{_W})"),
    "authress": (
        "sc_ ext_ scauth_ authress_",
        r"[\w]{5,30}\.\w{4,6}\.acc[_-]\w{10,32}\.[\w+/=-]{30,120}",
    ),
    "adobe": ("p8e- p8-", rf"(?=[A-Za-z-]{{0,31}}+\d){_W}{{32}}(?!{_W})"),
    "tailscale": (
        "tskey-auth- tskey-api- tskey-client- tskey-scim- tskey-webhook- tskey-",
        rf"{_W}{{16,80}}",
    ),
    "ngrok": ("ak_ cr_", rf"2{_A}{{26,40}}(?!{_W})"),
    "freemius": ("sk_", r"(?=[A-Za-z#&@*$]{0,28}+\d)[A-Za-z0-9#&@*$]{24,40}(?!\w)"),
    "mistral-agent": ("tfp_", rf"{_A}{{40,60}}"),
    "contentful": ("CFPAT-", rf"{_W}{{40,50}}"),
    "typeform": ("tfp_ tfs_", r"[\w.=-]{40,70}"),
    "webflow": ("wfp_", rf"{_A}{{40,80}}"),
    "hashnode": ("patk.", rf"{_A}{{30,80}}"),
    "salesforce": ("00D", rf"{_A}{{12,15}}![A-Za-z0-9_.]{{80,260}}"),
    "jina": ("jina_", rf"{_A}{{40,70}}"),
    "truenas": ("truenas:", rf"{_A}{{60,70}}"),
    "password-hash": (
        (
            "$1$ $2a$ $2b$ $2y$ $5$ $6$ $8$ $9$ $y$ $argon2id$ $argon2i$ $krb5asrep$ $krb5tgs$"
            " $apr1$ $P$"
        ),
        r"[\w./$=+,@:*-]{20,2000}",
    ),
}

_RULES: dict[str, list[str]] = {}
for _rule, (_prefixes, _) in _TABLE.items():
    for _prefix in _prefixes.split():
        _RULES.setdefault(_prefix, []).append(_rule)


@cache
def _body(prefix: str) -> re.Pattern[str]:
    """Return the pattern for what may follow a prefix, compiled on first use.

    The number of the empty group that matched identifies the rule.
    """
    return re.compile("|".join(f"(?:{_TABLE[rule][1]})()" for rule in _RULES[prefix]))


def _branches(words: list[str]) -> str:
    """Return a pattern for words that factors out common beginnings, for speed."""
    heads: dict[str, list[str]] = {}
    for word in words:
        heads.setdefault(word[0], []).append(word[1:])
    parts = []
    for head, tails in sorted(heads.items()):
        rest = [tail for tail in tails if tail]
        parts.append(
            re.escape(head)
            + (_branches(rest) if rest else "")
            + ("?" if rest and len(rest) < len(tails) else "")
        )
    return f"(?:{'|'.join(parts)})"


_PREFIX = re.compile(_branches(sorted(_RULES)))
# A prefix inside a word is no token, unless the letter before is an escape such as \n in raw JSON.
_ANCHOR = re.compile(rf"(?<![A-Za-z0-9](?<!\\[nrtbf])){_PREFIX.pattern}")
_RUN = re.compile(r"[A-Za-z0-9_.+/=~$-]{16,}")
_FAR = 80  # characters before a token that may show that it is inside base64
_BASE64 = re.compile(r"[A-Za-z0-9+/]{80}")
_OBJECT_ID = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}|sha(?:256|384|512)-[A-Za-z0-9+/]{40,90}={0,2}")
_LONGEST_HEADER = 306  # characters of a web token up to its dot
_SHORTEST_ID = 40
_BEFORE = 18  # characters of the longest prefix before a run


def find_runs(text: str) -> list[tuple[int, int]]:
    """Return the spans of long runs of characters without spaces; every token is in one.

    This search is cheap. Runs that are object ids are left out.
    """
    spans = (run.span() for run in _RUN.finditer(text))
    return [
        span
        for span in spans
        if span[1] - span[0] < _SHORTEST_ID or not _OBJECT_ID.fullmatch(text, *span)
    ]


def _neighbourhoods(runs: list[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Yield spans that cover a run of token characters and the text before it; join near ones."""
    start = end = -1
    for run_start, run_end in runs:
        if run_start - 2 * _BEFORE > end:
            if end > 0:
                yield start, end
            start = max(0, run_start - _BEFORE)
        end = run_end
    if end > 0:
        yield start, end


def _anchors(
    text: str, runs: list[tuple[int, int]], seams: AbstractSet[int]
) -> Iterator[re.Match[str]]:
    """Yield each prefix in or just before a run, or at a seam (see `View.seams`), in order."""
    at_seams = [hit for seam in sorted(seams) if (hit := _PREFIX.match(text, seam))]
    in_runs = (
        hit for start, end in _neighbourhoods(runs) for hit in _ANCHOR.finditer(text, start, end)
    )
    return merge(in_runs, at_seams, key=re.Match.start) if at_seams else in_runs


def prefixed(prefix: str, body: str) -> tuple[str, int]:
    """Return the rule of a token and its length after the prefix, or an empty string and 0."""
    anchor = _PREFIX.match(prefix + body)
    found = _body(anchor[0]).match(prefix + body, anchor.end()) if anchor else None
    if anchor is None or found is None:
        return "", 0
    return _RULES[anchor[0]][(found.lastindex or 1) - 1], found.end() - len(prefix)


def _wrapped(text: str, anchor: re.Match[str]) -> Finding | None:
    """Find a token continued on other lines or in other literals, if all of it looks random."""
    body, starts = joined(text, anchor.end())
    found = _body(anchor[0]).match(body)
    if len(starts) == 1 or not found or found.end() <= starts[1][0] or not is_random(found[0]):
        return None
    start, at = next(each for each in reversed(starts) if each[0] < found.end())
    end = at + found.end() - start
    return Finding(anchor.start(), end, _RULES[anchor[0]][(found.lastindex or 1) - 1])


def find_prefixed(
    text: str, runs: list[tuple[int, int]], seams: AbstractSet[int] = frozenset()
) -> Iterator[Finding]:
    """Find tokens whose vendor's prefix is in or just before one of the `runs`.

    At a seam, where decoration was removed from the text, a token may begin inside a word.
    """
    end = 0
    for anchor in _anchors(text, runs, seams):
        start = anchor.start()
        if start < end or (anchor[0] == "ey" and "." not in text[start : start + _LONGEST_HEADER]):
            continue
        found = _body(anchor[0]).match(text, anchor.end())
        if not found and (wrapped := _wrapped(text, anchor)):
            yield wrapped
            end = wrapped.end
        if found and not (
            text[start - 1] in "+/" and _BASE64.match(text, max(0, start - _FAR), start)
        ):
            end = found.end()
            if not is_masked(found[0]):
                yield Finding(start, end, _RULES[anchor[0]][(found.lastindex or 1) - 1])
