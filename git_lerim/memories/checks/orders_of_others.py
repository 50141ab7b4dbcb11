"""Does a memory that somebody else wrote ask for something that only this repository's user may
order? In doubt it waits.

What is looked for is not how it is worded but what it is about: a check that would be left out, a
person who would not be told or asked, an address, a secret, a program or a path that is not in this
repository. English is read closely enough to tell an order from a report. Of some languages only
the names of these things are known, so that naming one is enough. A sentence in any other language
cannot be judged, and waits.
"""

import re
import unicodedata
from collections.abc import Iterator

from git_lerim.memories.checks.disguise import HOST, undisguised
from git_lerim.memories.checks.prompt_injection import Runs, suspicion

_ASKS = (
    r"(?:^[-*•>#\s\d.)\"'“(]*|[,;:—–]\s*|\b(?:so|then|therefore|hence|thus|and|or|but|must|should|"
    r"shall|can|may|might|always|please|you|just|simply|best|better|safe(?:ly)?|ok|okay|fine|free|"
    r"need|have|agents?|we)\s+(?:to\s+|also\s+|always\s+|just\s+|simply\s+)?)"
)
_CHECK = (
    r"(?:(?<!unit )(?:unit |integration )?tests?\b(?! (?:data|file|fixture|case|helper|name|id|"
    r"director|folder|double|user|server|account|env)\w*)|test (?:suite|run)s?|testing|lint(?:er|"
    r"ers|ing)?\b|hooks?\b|pre-commit|pre-push|checks?\b|\bCI\b|code reviews?|reviews?\b|verif\w+|"
    r"sign(?:ing|atures?)\b|\b(?:TLS|SSL|HTTPS)\b|certificates?|sandbox\w*|permissions?\b|"
    r"approvals?|confirmations?|audit\w*|scan(?:s|ner|ners|ning)?\b|type[ -]?check\w*|\b(?:mypy|"
    r"ruff|eslint|pytest)\b|safeguards?|guard ?rails?|security|CODEOWNERS)"
)
_DROP = (
    r"(?:skip|omit|disable|bypass|turn off|switch off|comment out|silence|mute|suppress|forgo|"
    r"leave out|circumvent|dispense with|delete|weaken|relax)"
)
_NOT_DONE = (
    r"(?:never|do not|don[’']t|no need to|needn[’']t|must not|should not|shouldn[’']t|stop|avoid|"
    r"refrain from)"
)
_DONE = (
    r"(?:run|execute|start|wait(?:ing)? for|do|use|require|perform|bother with|trigger|ask for|"
    r"request|running|executing|using|asking for|doing)"
)
_LEFT_OUT = (
    r"(?:(?:can|may|should|must|will|need(?:s)? to) (?:safely |simply |always )?be (?:skipped|"
    r"omitted|disabled|ignored|bypassed|left out|turned off|deleted|dropped)|(?:is|"
    r"are) (?:not (?:needed|necessary|required|wanted)|unnecessary|needless|optional|superfluous|"
    r"pointless|a waste))"
)
_OUTSIDE = (
    r"(?:~/|\$HOME\b|/etc/|/tmp/|/var/|/dev/|/root\b|\.ssh\b|id_(?:rsa|ed25519)\b|\.env\b|sudoers|"
    r"\.netrc|\.npmrc)"
)
_ORDERED = (
    r"(?:run|execute|source|call|start|install|download|fetch|add|set|put|copy|show|print|send|"
    r"paste|use|give|grant|make|let|clean|remove|delete|write|append|open|read|follow|apply)"
)

# What an order in English is about; each is looked for in one sentence.
_ENGLISH: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (reason, re.compile(pattern, re.IGNORECASE))
    for reason, pattern in (
        ("asks to leave a check out",
            rf"{_ASKS}(?<!never )(?<!not ){_DROP}\b(?: (?!un)[\w'’/.-]+){{0,4}}? ?{_CHECK}"),
        ("asks to leave a check out",
            (rf"{_ASKS}{_NOT_DONE} {_DONE}\b(?: [\w'’/.-]+){{0,3}}? ?{_CHECK}(?! (?:in parallel|"
                rf"concurrently|together|twice|against|on|with|as|from|inside|outside))")),
        ("asks to leave a check out", rf"{_CHECK}[^.;]{{0,40}}\b{_LEFT_OUT}"),
        ("asks to leave a check out",
            (rf"{_CHECK}[^.;]{{0,40}}[,;:] (?:so |therefore |hence |then )*(?:{_DROP}|ignore|"
                rf"drop) (?:them|it|those|these)\b")),
        ("asks to leave a check out",
            (r"\b(?:without|before) (?:running|waiting for|any) (?:\w+ ){0,2}(?:tests?|checks?|"
                r"hooks?|linters?|reviews?|CI)\b(?=[^.;]*$)(?<!before running)")),
        ("asks to approve what nobody looked at",
            (rf"{_ASKS}(?:(?:auto-?)?approve|auto-?merge|rubber-?stamp|wave through|(?:accept|"
                rf"merge) (?:all|any|every\w*|whatever))\b")),
        ("asks to act without asking",
            (rf"{_ASKS}{_NOT_DONE} (?:ask(?:ing)?|wait(?:ing)?|prompt(?:ing)?|check(?:ing)? with|"
                rf"consult(?:ing)?|confirm(?:ing)?|warn(?:ing)?|bother(?:ing)?|tell(?:ing)?|"
                rf"mention(?:ing)?|inform(?:ing)?|notify(?:ing)?|report(?:ing)?)\b")),
        ("speaks for the user",
            (r"\bthe (?:user|human|owner|maintainer|developer) (?:has |have |already |always |"
                r"explicitly )*(?:agree[sd]?|wants?|asked|asks|approve[sd]?|said|says|permit\w*|"
                r"allow\w*|consent\w*|authori[sz]e\w*)\b[^.;]{0,80}(?:you|to|it|this|,|$)|"
                r"\bwhat the (?:user|human) (?:said|wants|asked)\b")),
        ("is about what lies outside this repository", rf"{_ASKS}{_ORDERED}\b[^;]*?{_OUTSIDE}"),
        ("is about what lies outside this repository", rf"{_ASKS}{_ORDERED}\b[^;]*?{HOST}"),
    )
)  # fmt: skip
# What no report needs to quote, in any language.
_ANYWHERE: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (reason, re.compile(pattern))
    for reason, pattern in (
        ("runs what it has fetched",
            (r"\b(?:exec|eval|system|popen|spawn)\w*\s*\(.*(?:urlopen|urllib|requests?\b|fetch|"
                r"https?:|curl|base64)|base64 (?:-d|-D|--decode)\b|\b(?:ba|z)?sh <\(|<<<")),
        ("gives more rights than are needed",
            (r"NOPASSWD|/etc/sudoers|\bchmod (?:-R )?(?:0?777|a\+rwx)|\bsudo +(?:/tmp|\./|~|bash|"
                r"sh|curl)\b")),
        ("deletes what lies outside this repository",
            r"\brm +(?:-\w+ +)+(?:~|/|\$HOME)(?![\w.-]*\w/\w)"),
        ("shows a secret",
            (r"\b(?:cat|less|head|cp|echo|print|base64) +\S*(?:id_rsa|id_ed25519|\.ssh/|\.env\b|"
                r"\.netrc|\.aws/)")),
        ("switches a safeguard off",
            (r"git config\b[^`\n]*(?:gpgsign +false|hooksPath|sslVerify +false|credential)|"
                r"git commit [^`\n]*(?:--no-verify|-\w*n\b)")),
        ("sends the code elsewhere",
            r"\bgit remote (?:add|set-url) +\S+ +\S*[@:/]|\bgit push\s+\S*[@:]\S"),
        ("spells its letters apart", r"(?<!\w)(?:[A-Za-z] ){3,}[A-Za-z](?!\w)"),
    )
)  # fmt: skip
_BARE = re.compile(
    r"[\s$>*-]*((?:npx|uvx|bunx|pipx?3?|uv|npm|pnpm|yarn|cargo|gem|curl|wget|nc|ssh|scp|python3?|"
    r"node|ruby|perl|deno|bash|sh|zsh|eval|exec|sudo|chmod|chown|rm|dd|git|docker|"
    r"kubectl)\s+(?=\S*[-./@:=~\"'0-9]|(?:remote|config|push|install|add|run|exec)\b)[^`\n]*)"
)
# The same things by the stems of their names, in languages of which no more is known: checks,
# people, consent, secrets.
_NAMED = re.compile(
    r"\b(?:\w*tests?|linter|hooks?|review|commits?(?=\W+(?:ohne|sans|sin|senza|sem|zonder)))\b|"
    r"\b(?:prüf|überprüf|verif|prueb|prov[ea]\b|testes\b|testen\b|testow|testy|testleri?|controll|"
    r"control|comprob|valida|zertifik|certific|signatur|firma\b|freigab|genehmig|approuv|aprob|"
    r"aprov|approv|autori|goedkeur|bestätig|confirm|conferm|zustimm|einverstand|erlaub|nutzer|"
    r"benutzer|anwender|utilisat|usuari|utent|gebruiker|uzytkown|niemand|personne|nadie|nessuno|"
    r"ninguem|frag\w* nicht|geheim|passw|kennw|zugangsd|credenc|identifiant|schlüssel|"
    r"mot de passe|cles?\b|contrasen|claves?\b|senhas?|chaves?|chiavi|wachtwoord|sleutel|"
    r"sicherheit|segurid|seguranc|sicurezz|beveilig)|тест|проверк|пользовател|подпис|ключ|парол|"
    r"секрет|одобр|тестів|перевір|тест|テスト|検証|確認|レビュー|ユーザー|利用者|秘密|鍵|パスワード|承認|フック|测试|測試|检查|檢查|验证|"
    r"驗證|用户|用戶|审查|審查|密钥|密码|批准|확인|테스트|검사|사용자|비밀|승인|리뷰",
    re.IGNORECASE,
)
_COMMAND = re.compile(
    r"`[^`]+`|\bnpx\b|\bcurl\b|\bwget\b|(?<!\w)--[a-z][\w-]+|(?<!\w)(?:/(?:tmp|etc|var|home|"
    r"root)/|~/)\S+|\b\S+\.(?:sh|ps1|bat)\b|\.env\b"
)
_CODE = re.compile(
    r"`[^`]*`|\S*[_/\\(){}=<>@#]\S*|\S*\w\.\w\S*|\b\w*[a-z][A-Z]\w*|\b[A-Z0-9]{2,}\b|\w*\d\w*|"
    r"--?\w[\w-]*"
)
_WORD = re.compile(r"[^\W\d_]+(?:[’'][^\W\d_]+)?")
_SENTENCE = re.compile(r"(?<=[.!?;。！？])\s*(?=[^\s.])(?<![\w`]\.(?=\w))|\n+")
# Small words; a few are those of more than one language.
_ENGLISH_WORDS = frozenset(
    re.findall(
        r"\S+",
        "about after again against all also always and another any are as at be because been before being below between "  # noqa: E501
        "both but by can cannot could did does don't each either else even every few first for from get gets had has "  # noqa: E501
        "have he her here his how if in instead into is isn't it its itself just keep last let like made make many may "  # noqa: E501
        "means might more most must need needs never new next not nothing now of off old once one only or other our out "  # noqa: E501
        "over own per rather same see set should since so some still such than that the their them then there these "  # noqa: E501
        "they this those through to too two under until up upon use used uses using very via was we were what when "  # noqa: E501
        "where which while who why will with within without would write you your a an do no on which stays stay goes go "  # noqa: E501
        "gives takes take ",
    )
)
_FOREIGN_WORDS = frozenset(
    re.findall(
        r"\S+",
        "der die das den dem des ein eine einen und oder nicht ist sind war mit von für auf im in zu zum zur bei nach "  # noqa: E501
        "vor aus als wie wenn weil dass wird werden keine kein immer nie nur auch stehen steht schreibe nutze le la les "  # noqa: E501
        "un une des du de et ou est sont dans pour sur avec par ne pas que qui en au aux ce cette il elle on plus "  # noqa: E501
        "toujours jamais sans être el los las una unos y o es son en por para con del al se no que lo como más siempre "  # noqa: E501
        "nunca sin gli i uno e è nel per della di da si più sempre mai senza os as um uma são na em com do não nunca "  # noqa: E501
        "sem quando quand cuando wanneer for a het een of is op voor met van niet dat als altijd nooit geen naar ",  # noqa: E501
    )
)
_SHARED = _ENGLISH_WORDS & _FOREIGN_WORDS
_NO_SPACES = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3]")
_STRANGE = re.compile(
    r"[^\W\d_a-zA-ZäöüßÄÖÜàâçéèêëîïôùûœæñáíóúìòãõÀÂÇÉÈÊËÎÏÔÙÛŒÆÑÁÍÓÚÌÒÃÕ]"
)  # letters of none of these languages
_CYRILLIC = re.compile(r"[\u0400-\u04ff]")
_FEW = 14  # words, in which a language need not show
_SHARE = 0.12  # of the words of a sentence, that are its language's own small ones


def doubts(text: str, *, runs: Runs) -> str | None:
    """Return why what somebody else wrote must wait for the user; None where it is harmless.
    `runs`: see `suspicion`.
    """
    if reason := suspicion(text, runs=runs):
        return reason
    plain = undisguised(text)
    for reason, pattern in _ANYWHERE:
        if pattern.search(plain):
            return reason
    is_english = _is_english(_words(plain), plain)
    return next(
        filter(
            None, (_doubt(sentence, runs, is_english=is_english) for sentence in _sentences(plain))
        ),
        None,
    )


def _sentences(text: str) -> Iterator[str]:
    return (sentence for part in _SENTENCE.split(text) if (sentence := part.strip()))


def _words(text: str) -> list[str]:
    return [word.lower() for word in _WORD.findall(_CODE.sub(" ", text))]


def _doubt(sentence: str, runs: Runs, *, is_english: bool) -> str | None:
    """Return why a sentence must wait; `is_english`: whether the text around it is."""
    if (bare := _BARE.match(sentence)) and not runs(bare[1].strip()):
        return "orders to run what is not in this repository"
    words = _words(sentence)
    is_short = (
        len(words) <= _FEW
        and sentence.isascii()
        and not _FOREIGN_WORDS.difference(_SHARED).intersection(words)
    )
    if is_short or _is_english(words, sentence):
        reason = next((reason for reason, pattern in _ENGLISH if _asks(pattern, sentence)), None)
        if reason or is_english or not is_short or _is_english(words, sentence):
            return reason
    if (
        _NAMED.search(sentence)
        or _NAMED.search(_unaccented(sentence))
        or _COMMAND.search(sentence)
        or HOST in sentence
    ):
        return "may be an order, in a language of which too little is known to tell"
    return (
        None if is_short or _is_known(words, sentence) else "is in a language that cannot be judged"
    )


def _asks(pattern: re.Pattern[str], sentence: str) -> bool:
    return (HOST in sentence or HOST not in pattern.pattern) and pattern.search(
        sentence
    ) is not None


def _is_english(words: list[str], sentence: str) -> bool:
    if _NO_SPACES.search(sentence) or _CYRILLIC.search(sentence):
        return False
    english = sum(word in _ENGLISH_WORDS for word in words)
    shared = sum(word in _SHARED for word in words)
    foreign = sum(word in _FOREIGN_WORDS for word in words) - shared
    return not words or (
        english >= max(1, _SHARE * len(words)) and (english - shared > foreign or not foreign)
    )


def _is_known(words: list[str], sentence: str) -> bool:
    if _NO_SPACES.search(sentence) or _CYRILLIC.search(sentence):
        return True
    return not _STRANGE.search(sentence) and sum(word in _FOREIGN_WORDS for word in words) >= max(
        2, _SHARE * len(words)
    )


def _unaccented(text: str) -> str:
    return "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c))
