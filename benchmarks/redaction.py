"""Print how much the redactor finds, how much it finds wrongly, how fast it is, and its worst case
on hostile text.

python benchmarks/redaction.py [DATA]   (default: ../shared/data beside the checkout)

DATA holds secrets/ (examples of secrets) and sessions/ (transcripts, read as raw bytes; `--flags`
prints each flag in them).
"""

import json
import random
import re
import subprocess
import sys
import sysconfig
from base64 import b64encode
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from hashlib import sha1, sha256
from pathlib import Path
from string import ascii_letters, digits
from time import process_time

from secret_forms import cases

from git_lerim.redaction.redactor import Redactor

CHECKOUT = Path(__file__).resolve().parents[1]
COMMON = re.compile(
    r"anthropic|openai|aws|github|gitlab|slack|stripe|google|gcp|npm\b|pypi|huggingface|azure|"
    r"postgres|mongo|mysql|odbc|jwt|pem|private-key|generic|password|netrc|curl",
    re.IGNORECASE,
)
PREFIXED = re.compile(
    r"^(?:gh[opusr]_|github_pat_|gl(?:pat|ptt|rt|dt|ft|imt|cbt|oas|soat|ffct)-|sk-ant-|sk-proj-|"
    r"xox[a-z]-|xapp-|AKIA|ASIA|AIza|[sr]k_(?:live|test)_|npm_|pypi-|hf_|SG\.|do[opr]_v1_|"
    r"sh(?:pat|pca|ppa|pss)_|hv[sbr]\.|dp\.|glc_|glsa_|lin_api_|rubygems_|pul-|sntrys_|shippo_|"
    r"tvly-|sq0)"
)
OWN_EXAMPLES = (
    ":!tests",
    ":!benchmarks/redaction.py",
    ":!benchmarks/secret_forms.*",
)  # full of secret-shaped strings on purpose
SEED = 2027  # other values than those the rules were made with
VALUE = "tr0ub4dor" + "X9k2"
REPORTED = range(7, 10)  # rules are developed on the ids whose hash ends in 0 to 6


def survives(text: str, secret: str) -> bool:
    """Say whether half of a secret, and at least six characters of it, still stands in the text."""
    size = min(len(secret), max(6, len(secret) // 2))
    return any(secret[at : at + size] in text for at in range(len(secret) - size + 1))


def is_blanked(redactor: Redactor, item: dict[str, object]) -> bool:
    """Say whether nothing of the known secrets survives; where none is known, whether something was
    found.
    """
    known = [str(secret) for secret in item.get("secrets") or [item.get("secret")] if secret]
    text, findings = redactor.redact(str(item["text"]))
    return not any(survives(text, secret) for secret in known) if known else bool(findings)


def holdout(folder: Path) -> Iterator[dict[str, object]]:
    for name in ("gitleaks.json", "noseyparker.json"):
        for item in json.loads((folder / name).read_text()):
            if sha256(item["rule"].encode()).digest()[0] % 10 in REPORTED:
                yield item


def share(redactor: Redactor, items: Iterable[dict[str, object]]) -> str:
    blanked = [is_blanked(redactor, item) for item in items]
    return f"{sum(blanked) / len(blanked):.3f} of {len(blanked):,}" if blanked else "none"


def vectors(redactor: Redactor, folder: Path, name: str) -> str:
    good = 0
    items = json.loads((folder / "redact-transcripts-vectors-CC0" / f"{name}.json").read_text())[
        "vectors"
    ]
    for item in items:
        text = item.get("input") or "".join(item["chunks"])
        redacted, _ = redactor.redact(text)
        good += (
            redacted == text
            if item["expect"] == "unchanged"
            else not any(part in redacted for part in item["absent"])
        )
    return f"{good} of {len(items)}"


def harmless() -> Iterator[tuple[str, list[str]]]:
    library = Path(sysconfig.get_path("stdlib"))
    yield (
        "standard library",
        [path.read_text(errors="replace") for path in sorted(library.glob("*.py"))],
    )
    log = subprocess.run(
        ["git", "-C", str(CHECKOUT), "log", "-p", "-n", "400", "--", ".", *OWN_EXAMPLES],
        capture_output=True,
        check=False,
    ).stdout
    entries = re.split(
        r"^(?=commit [0-9a-f]{40})", log.decode(errors="replace"), flags=re.MULTILINE
    )
    yield (
        "git log -p (ours)",
        [
            piece
            for entry in entries
            for piece in re.split(r"^(?=diff --git)", entry, flags=re.MULTILINE)
        ],
    )
    yield (
        "commit ids",
        [
            "\n".join(
                f"{sha1(str(n).encode(), usedforsecurity=False).hexdigest()} Ann Lee {n}"
                for n in range(20_000)
            )
        ],
    )
    source = random.Random(7)  # noqa: S311 - the same text each time
    packages = {
        f"node_modules/p{n}": {
            "version": f"1.{n}.0",
            "resolved": f"https://registry.npmjs.org/p{n}/-/p{n}-1.{n}.0.tgz",
            "integrity": "sha512-" + b64encode(source.randbytes(64)).decode(),
        }
        for n in range(4_000)
    }
    yield "package-lock.json", [json.dumps({"packages": packages}, indent=2)]


def hostile() -> Iterator[tuple[str, str]]:
    """Build 200 KB of what could make a pattern run without end."""
    header = "-----BEGIN RSA PRIVATE " + "KEY-----\n"
    units = (
        *(
            header,
            header.strip(),
            "a",
            "a1",
            "password=",
            'password="',
            "password='\"",
            "api_key",
            "api_key:",
            "token ",
            "token, ",
            "Authorization: ",
            "Bearer ",
        ),
        *(
            "curl -u a:",
            "curl ",
            "docker login -p ",
            "-p ",
            "\"'`",
            '\\"',
            "\\",
            "\\n",
            "QUJD",
            "ey" + "J",
            "-ey" + "J",
            "://a:",
            "http://aaaa:bbbb",
            "\\u0061",
        ),
        *(
            "%41",
            "%41 password=",
            "kind: Secret\ndata:\n",
            "sk-",
            "-ghp_",
            "xox" + "b-",
            "1234567890",
            "deadbeef ",
            "a.",
            "/",
            "/home/ab",
            "mail a@b.",
            "ssh -i a ",
        ),
        *(
            "the password is ",
            "password for the ",
            "PuTTY-User-Key-File-2:",
            "[REDACTED:",
            "password=[REDACTED:x]",
            "\u200b",
            "?=",
            " ",
            "\n",
            "s.",
            "-us12",
            ":AA",
            "1Q~",
        ),
        *(
            f'password="{VALUE}" ',
            f"token={VALUE} ",
            f"machine a login b password {VALUE}\n",
            ".SG." + "a" * 20,
            "<token>",
            '"token","',
            "\u0130password=",
        ),
        *(b64encode(f"password={VALUE}".encode()).decode() + " ", 'a1b2c3d4e5f6", "'),
        *(
            "pwd ",
            "pass ",
            "auth ",
            "key=",
            "api key ",
            'password "abc" ',
            "password for " + "x" * 48 + " ",
            "secret" + " " * 40,
        ),
        *(
            f"token%3d{VALUE} ",
            f"%41 password={VALUE} ",
            f"\\u0041 password={VALUE} ",
            f"p\u200bassword={VALUE} ",
        ),
        *(
            "\\/",
            "%41%41 ",
            "a\\/b password\\/=a ",
            "https://abcdefghijk12345678@h ",
            "postgres://u:p%40ss@h/ ",
        ),
        *(
            "secrets=['a1b2C3d4','a1b2C3d4',",
            '{"password":',
            '{"a":',
            "token\t\n",
            f"api-key: {VALUE} ",
            "secret=deadbeef01 ",
        ),
        *(
            f"curl -u a:{VALUE}\n",
            f"curl -u a:{VALUE} \\\n",
            "mysql -psecret1 ",
            "machine a login b ",
            "=",
            "$1$-1/-00D-re_",
        ),
        *(
            "\x1b[1;",
            "\\u001b[1;",
            "[31m",
            "\n12\u2192",
            "\n+",
            "\n   1 ",
            '"  1\t',
            "\n> - ",
            "\\\\n",
            "1234567 (Ann 12) ",
        ),
        *(
            "cookie: a=",
            "curl ",
            "curl -b a=",
            "identified by ",
            "password '",
            "| password ",
            "|password|\n",
            "password,password\n",
        ),
        *(
            "insert into users values ('a!1b', ",
            "insert into users (password) values ('a'),",
            "insert into t (password) values (",
            "insert into a(",
            "copy t (password) from stdin;\n",
            " abandon",
            "abandon ability ",
        ),
        *(
            "mnemonic abandon ",
            "seed phrase: ",
            'kty"d":"',
            "name: password\nvalue: ",
            'variable "password" {',
            "password: |\n  ",
        ),
        *(
            "password:\n\n",
            "# Password\n\n```\n",
            "echo a:",
            "echo a:b | ",
            "chpasswd <<E\na:",
            "redis-cli -a ",
            "zip -P ",
            "az login -p ",
        ),
        *(
            "Пароль ",
            "пароль от базы: ",
            "密码是",
            "パスワード",
            "mot de passe temporaire : ",
            ":5432:a:b:",
            "AKIA" + "Q3EGRJ7X2M5TYVWN ",
        ),
        *(
            "env secret ",
            "config set ",
            "convertto-securestring -string ",
            "net user a ",
            "auth ",
            "htpasswd -b a b ",
            "a.b.c.",
            "&a",
        ),
        *(
            "credentials:\n- a b1!\n",
            "keys:\n- a - b - c1 d\n",
            "these are \n",
            "account a / ",
            "the password (the ",
            "user ab password ",
            "creds: ab, ",
            "root / ",
            "password a-b-c-",
            "pw " + "a-" * 30 + "1 ",
            "密码 a1!",
        ),
    )
    for unit in units:
        yield repr(unit[:24]), (unit * (200_000 // len(unit) + 1))[:200_000]
    source = random.Random(2)  # noqa: S311 - the same text each time
    word = "".join

    def value() -> str:
        return word(source.choices(ascii_letters + digits, k=12))

    for name, draw in {
        "names and signs": lambda: source.choice(NAMES) + source.choice(SIGNS),
        "names, signs, values": lambda: source.choice(NAMES) + source.choice(SIGNS) + value()[:6],
        "passwords": lambda: f"password={value()} ",
        "tokens": lambda: f"ghp_{value() * 3} ",
        "names": lambda: f"{value()[:5]}_token_{value()[:5]}={value()} ",
        "passwords in base64": lambda: b64encode(f"password={value()}".encode()).decode() + " ",
        "passwords, escaped names": lambda: f"password={value()}" + "%41token= " * 18,
        "escapes": lambda: f"%{source.randrange(256):02x}\\u{source.randrange(32, 3000):04x}",
        "characters": lambda: chr(source.randrange(32, 0x3000)),
    }.items():
        parts = [draw() for _ in range(200_000 // max(1, len(draw()) // 2))]
        yield f"other {name}", word(parts)[:200_000]
    # - the same text each time
    yield "random base64", b64encode(random.Random(1).randbytes(150_000)).decode()  # noqa: S311
    yield "base64 of passwords", b64encode(b"password=" * 16_000).decode()


NAMES = (
    "password",
    "token",
    "secret",
    "api_key",
    "auth",
    "bearer",
    "pwd",
    "key",
    "pin",
    "credential",
)
SIGNS = ("=", ":", " ", " is ", "='", '="', '\\"', "->", "%3d", "\n", " for the ", "--")


def seconds(redactor: Redactor, texts: list[str]) -> tuple[float, int]:
    began = process_time()
    found = sum(len(redactor.find(text)) for text in texts)
    return process_time() - began, found


def recall(redactor: Redactor, folder: Path) -> None:
    """Print how much is found of the examples that no rule was made by."""
    if folder.is_dir():
        items = list(holdout(folder))
        positive = [item for item in items if item["label"] == 1]
        known = [item for item in positive if item.get("secret") or item.get("secrets")]
        row(
            "fully redacted, hold-out, common providers",
            share(redactor, (item for item in positive if COMMON.search(str(item["rule"])))),
        )
        row("fully redacted, hold-out, secret known", share(redactor, known))
        row("fully redacted, hold-out, all", share(redactor, positive))
        row(
            "fully redacted, hold-out, prefixed tokens",
            share(redactor, (item for item in known if PREFIXED.match(str(item["secret"])))),
        )
        texts = [str(item["text"]) for item in items]
        row(
            "not idempotent, hold-out",
            str(
                sum(
                    redactor.redact(once)[0] != once
                    for once in (redactor.redact(text)[0] for text in texts)
                )
            ),
        )
        for kind in ("positive", "encoded", "split", "negative"):
            row(f"CC0 vectors, {kind}", vectors(redactor, folder, kind))
    else:
        row("secret examples", f"not at {folder}")


def report(redactor: Redactor, data: Path, *, show: bool) -> None:
    """Print all tables."""
    recall(redactor, data / "secrets")
    forms(redactor)
    if (data / "sessions").is_dir():
        transcripts(data / "sessions", show=show)
    for text_name, texts in harmless():
        size = sum(map(len, texts)) / 1e6
        time, found = seconds(redactor, texts)
        row(f"{text_name}, {size:.1f} MB", f"{found / size:.2f} flags/MB  {size / time:.1f} MB/s")
    slowest = sorted(
        ((min(seconds(redactor, [text])[0] for _ in range(2)), unit) for unit, text in hostile()),
        reverse=True,
    )
    row("slowest hostile 200 KB", "  ".join(f"{time:.3f} s {unit}" for time, unit in slowest[:3]))


def forms(redactor: Redactor) -> None:
    """Print the share of each form that is blanked, over all its variants."""
    met: dict[str, list[bool]] = {}
    for case in cases(SEED):
        met.setdefault(case.form, []).append(
            not survives(redactor.redact(case.text)[0], case.secret)
        )
    for form, blanked in met.items():
        row(form, f"{sum(blanked) / len(blanked):.3f} of {len(blanked):,}")


def flags(path: Path) -> tuple[int, float, list[str]]:
    """Return the characters of a transcript, the seconds that it takes, and each flag with what
    stands around it.
    """
    text = path.read_bytes().decode("utf-8", "replace")
    began = process_time()
    found = Redactor().find(text)
    time = process_time() - began
    return (
        len(text),
        time,
        [f"{hit.rule}\t{text[max(0, hit.start - 60) : hit.end + 20]!r}" for hit in found],
    )


def transcripts(folder: Path, *, show: bool) -> None:
    """Print the flags in raw transcripts: most are false, as those who gave them have redacted
    them.
    """
    paths = [path for path in sorted(folder.rglob("*")) if path.is_file()]
    with ProcessPoolExecutor() as pool:
        results = list(pool.map(flags, paths, chunksize=4))
    size, time = sum(result[0] for result in results) / 1e6, sum(result[1] for result in results)
    found = [
        f"{path.relative_to(folder)}\t{hit}"
        for path, result in zip(paths, results, strict=True)
        for hit in result[2]
    ]
    row(
        f"transcripts, raw, {size:.0f} MB",
        f"{len(found) / size:.2f} flags/MB  {size / time:.1f} MB/s",
    )
    if show:
        print("\n".join(found))


def row(name: str, value: str) -> None:
    print(f"  {name:<46} {value}")


if __name__ == "__main__":
    GIVEN = [argument for argument in sys.argv[1:] if not argument.startswith("-")]
    DATA = Path(GIVEN[0]) if GIVEN else CHECKOUT.parent / "shared" / "data"
    report(Redactor(), DATA, show="--flags" in sys.argv)
