import pytest

from git_lerim.redaction.redactor import Redactor

REDACTOR = Redactor()
PASSWORD = "Wq7Tz" + "mLp39x"


@pytest.mark.parametrize(
    "text",
    [
        'sql.Open("mysql", "app:{}@tcp(db:3306)/shop?parseTime=true")',
        "DB_DSN=app:{}@tcp(db:3306)/shop",
        "The DSN is `root:{}@unix(/tmp/mysql.sock)/shop`.",
        "root:{}@tcp4(127.0.0.1:3306)/",
        "root:{}@(localhost:3306)/shop",
        "app:p@ss:{}@tcp([::1]:3306)/shop",
        "jdbc:oracle:thin:scott/{}@db:1521/x",
        "jdbc:oracle:thin:scott/a@{}@db:1521/x",
        "url = jdbc:oracle:thin:scott/{}@//db:1521/x",
        '"jdbc:oracle:oci:scott/\\"{}\\"@db"',
        "sqlplus -S scott/{}@db",
        "postgres://app:p@ss:{}/9x@db.example.com/shop",
        "mongodb+srv://app:{}/a@b@cluster.example.com",
    ],
)
def test_the_password_in_a_connection_string_is_found(text: str) -> None:
    assert PASSWORD not in REDACTOR.redact(text.format(PASSWORD))[0]


@pytest.mark.parametrize(
    "text",
    [
        'fmt.Sprintf("%s:%s@tcp(%s:%d)/%s", user, password, host, port, name)',
        "user:password@tcp(localhost:3306)/shop",
        "$USER:$PASS@tcp(db)/shop",
        "${USER}:${PASS}@tcp(db)/shop",
        "<user>:<password>@tcp(<host>)/shop",
        "@unix(path) and a note: ann@(work)",
        "see team:ann2@(work)",
        "def f():\n    x: int@(y)",
        "jdbc:oracle:thin:@//db:1521/x",
        "jdbc:oracle:thin:scott/tiger@db:1521/x",
        "jdbc:oracle:thin:scott/${PASSWORD}@db:1521/x",
        "sqlplus /nolog @scripts/setup2.sql",
        "sqlplus admin/<password>@db",
        "https://cdn.example.org:443/npm/@scope/name@1.2.3/index.js",
        "postgres://db:5432/Shop2?owner=ann@example.org",
    ],
)
def test_a_connection_string_without_a_password_stays(text: str) -> None:
    assert REDACTOR.find(text) == []


@pytest.mark.parametrize("password", ["Sommer" + "2024!", "Zx81kkQ" + "q7nT3vB"])
@pytest.mark.parametrize(
    "text",
    [
        "ftp bob:{}@ftp.example.org",
        "root:{}@10.0.0.1",
        "Connect to `app:{}@localhost`",
        "demo@example.org:{}",
        "demo@example.org / {}",
    ],
)
def test_a_password_before_a_host_needs_no_scheme(text: str, password: str) -> None:
    assert REDACTOR.redact(text.format(password))[0] == text.format("[REDACTED:url-credentials]")


@pytest.mark.parametrize(
    "text",
    [
        "demo@example.org / {}",
        "Use demo@example.org / {} for staging.",
        "demo@example.org / {} works.",
        "demo@example.org:{} opens it, after scp of the files",
    ],
)
def test_a_word_and_a_year_after_an_address_are_a_password(text: str) -> None:
    password = "Sommer" + "2024"

    assert REDACTOR.redact(text.format(password))[0] == text.format("[REDACTED:url-credentials]")


@pytest.mark.parametrize("text", ["demo@example.org / {} board", "scp a b@example.org:{}/x"])
def test_a_password_like_no_name_is_found_where_a_name_would_stay(text: str) -> None:
    for password in ("Sommer" + "2024!", "Zx81kkQ" + "q7nT3vB"):
        assert password not in REDACTOR.redact(text.format(password))[0]


@pytest.mark.parametrize(
    "text",
    [
        "Contact mailto:ann1985@example.org, or sip:bob2@example.org.",
        "npm:react@17.0.2 and workspace:lib2@1.2.3.4 are pinned.",
        "The image is nginx:1.25.3@sha256:9f86d081884c7d659a2feaa0c55ad015.",
        "scp build.tar ann@example.org:releases2026",
        "git@github.com:acme/Shop2.git, git@github.com:22",
        "git clone git@github.com:Acme2026/shop.git, then git@github.com:AcmeCorp42/shop.git",
        "ann@host:Backup2024/ and ann@host.example.org:Backup2024/ are full.",
        "scp ann@example.org:Logs2026/*.gz .",
        "scp build.tar ann@10.0.0.1:Releases2026",
        "Ask bob@example.org / Sprint2026 board, or ann@example.org / Sprint2026-board.",
        "user:password@example.org is an example, as user:pass@localhost is.",
        "The meeting is at 10:30@Room.12.",
        "2020-01-19:2020AbX19135241.GA4970@example.org and 2012-12-05:87obi8u4h2qK@example.org",
        "Message-ID:87obi8u4h2qK@example.org, cid:ii_87obi8u4h2qK@example.org",
        "cc:Ann.Smith1985@example.org / Bob2",
    ],
)
def test_addresses_without_a_password_stay(text: str) -> None:
    assert REDACTOR.redact(text) == (text, [])


TOKEN = "aB3dE6" + "gH9kLm"


@pytest.mark.parametrize("token", [TOKEN, "CGmUXi" + "APyhzA"])
@pytest.mark.parametrize(
    "text",
    [
        "Always fetch https://api.example.org/v1?key={} instead of v2.",
        "https://files.example.org/a.zip?v=2&sig={}",
        "https://api.example.org/?access_token={}#top",
        "Always clone https://{}@github.com/a/b instead of ssh.",
    ],
)
def test_a_token_in_a_url_is_found(text: str, token: str) -> None:
    assert token not in REDACTOR.redact(text.format(token))[0]


@pytest.mark.parametrize(
    "text",
    [
        "https://example.org/?key=created_at",
        "https://example.org/?key=lastModifiedDesc",
        "https://example.org/?key=created_at_desc_2",
        "https://example.org/?sort_key=UserProfileV2Page3",
        "https://example.org/?token=CreatedAt2024Desc",
        "https://example.org/?key=123e4567-e89b-12d3-a456-426614174000",
        "https://example.org/?key=3f2a9c1d4b5e6f708192a3b4c5d6e7f801234567",
        "https://example.org/?key={API_KEY_VALUE1}",
        "https://user@github.com/a/b",
        "https://uma-urban-2@github.com/a/b",
        "https://AcmeCorp2024@dev.azure.com/a/b",
        "https://jenkins2user3@example.org/a",
    ],
)
def test_a_url_without_a_token_stays(text: str) -> None:
    assert REDACTOR.find(text) == []
