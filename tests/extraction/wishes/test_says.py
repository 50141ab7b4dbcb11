import re

import pytest
from support.rules import extract
from support.talk import Talk

from git_lerim.extraction.wishes.says import Wish, wish_in, wishes_in
from git_lerim.memories.memory import Kind

WISHES = [
    "Remember: staging db is read only, writes go to the sandbox.",
    "Never put the catalog into the work tree.",
    "From now on, always format the code before you push.",
    "never commit generated files",
    "I prefer small commits over big ones.",
    "We don't use singletons here.",
    "Every migration needs a down script.",
    "When you add a setting, document it in the manual.",
    "No print statements in library code.",
    "Use just here, not make.",
    "Please remember that staging is reset every Sunday.",
    "Run `make lint` before every commit, because CI rejects unformatted code.",
    "Before each commit run scripts/check.sh.",
    "Ask me before you delete files.",
    "Commit messages must follow Conventional Commits.",
    "I prefer dataclasses over dicts in this code.",
    "Rust code here has to pass clippy with warnings denied.",
    "SQL keywords in uppercase, table names in snake_case.",
    "Console.log has no place in committed code, use the logger.",
    "For new endpoints, also add an entry to openapi.yaml.",
    "Anything that deletes data needs my ok first.",
    "Money is always stored as integer cents, because floats have burned us before.",
    "Our convention is that booleans start with is, has or should.",
    "Tabs, not spaces.",
    "Unless I say otherwise, target Python 3.9 syntax.",
    "Ab sofort bitte keine Abkürzungen in Namen.",
    "Ich möchte, dass Funktionen höchstens 40 Zeilen lang sind.",
    "Dès que tu ajoutes un endpoint, mets à jour la doc OpenAPI.",
    "Per favore scrivi i messaggi di commit in italiano.",
    "Publieke methodes moeten type hints hebben.",
    "Wolałbym, żebyś nie łączył refaktoryzacji ze zmianami w jednym PR-ze.",
    "Имена тестов должны описывать поведение.",
    "如果要引入第三方库，请先跟我确认。",
    "Utilise toujours des chemins relatifs.",
    "Nunca subas cambios sin pruebas.",
    "Sempre escreva a documentação em inglês.",
    "Non usare mai variabili globali.",
    "Gebruik nooit globale variabelen.",
    "Zawsze pisz komentarze po angielsku.",
    "Никогда не коммить сгенерированные файлы.",
    "以后不要直接推送到主分支。",
    "必ずテストを先に書いてください。",
    "Finger weg von allem unter vendor/.",
    "Variablennamen müssen ausgeschrieben sein, also keine Kürzel wie usrCnt.",
    "Cada vez que añadas un endpoint, documéntalo en el OpenAPI.",
    "Eu não quero dados reais de clientes nos fixtures.",
    "We werken hier met conventional commits.",
    "Sekretów nie trzymamy w repo.",
    "Пиши сообщения коммитов на русском.",
    "单个文件不超过 500 行。",
    "PRはできるだけ小さく分けてもらえると助かります。",
]
OTHERS = [
    "Always use the small data set in this benchmark run.",
    "Always one more bug, isn't there.",
    "Write some markdown here in chat, anything you can do in markdown.",
    "Should we never commit generated files?",
    "I always forget how this works.",
    'The guide says "never use tabs", is that still right?',
    "It never finished yesterday.",
    "Always the same error.",
    "Add a test for the parser.",
    "Before you continue, check that the failing test also fails on main.",
    "All dates in the export are off by one hour since the deploy.",
    "Sarah says we should never have put secrets in .env files.",
    "We need an export button that never shows up for guests.",
    "For now, don't run the linter.",
    "Warum schlägt das immer fehl?",
    "Pourquoi ce test échoue toujours ?",
    "¿Por qué nunca termina?",
    "为什么总是失败？",
    "なぜいつも失敗するのですか？",
    "Dzięki, o to mi właśnie chodziło.",
    "ユーザー一覧にページネーションを追加してください。",
    "Der Export hängt seit heute früh bei 80 Prozent.",
    "All commits in the branch must be squashed before I merge it.",
    "All changes from Bob must be reverted.",
    "All of Bob's changes must be reverted.",
    "All files that I sent must be translated.",
    "Whatever you did must be reverted.",
    "Whoever wrote this must have been tired.",
    "Everything Bob wrote must be rewritten.",
    "Every commit in my branch needs a better message.",
    "Every test in the list below has to be skipped.",
    "All failing tests need the fixture from conftest.",
    "Every open thread needs a reply from you.",
    "All my changes are gone, bring them back.",
    "All three branches need to be rebased on main.",
    "Before you go on, show me the plan.",
    "When you have finished, write a summary.",
    "All my local changes must be kept while you rebase.",
    "Keep Alice in the loop.",
    "You tend to change the format of files you touch, which makes the diff unreadable.",
    "I've noticed you often swallow exceptions.",
    "If I change the theme, not everything updates correctly, like user-message.",
    "When I hit refresh twice, the list never loads.",
    "Always getting a 502 from the upload endpoint, what's up with that.",
    "By the way I noticed you made the last three commits without a body.",
    "Logs don't show anything odd.",
    "For titles and outputs, replacing the unused `toolText` token.",
    "Oh, and another details element with usage info, about sharing, deleting, adding models.",
    "Keep Tom and Anna informed.",
    "Document Alice's findings.",
    "Use Bob's branch.",
    "Ich möchte zuerst den Diff sehen.",
    "Bitte lass die Tests noch einmal laufen.",
    "Alle Commits im Branch müssen gesquasht werden, bevor ich merge.",
    "Alle Änderungen von Bob müssen zurückgenommen werden.",
    "Tous les commits de la branche doivent être renommés.",
    "Todos los commits de mi rama deben tener otro mensaje.",
]

RULES = [  # for all cases, without a word such as "always"
    "No mocks for the db, real pg from docker compose.",
    "No more magic numbers in the tests.",
    "Tests: use a real pg, not a mock.",
    "Every endpoint must have an integration test.",
    "All public functions need docstrings.",
    "No function should be longer than 50 lines.",
    "Nothing in core/ may import from plugins/.",
    "Make it a rule: every migration has a downgrade.",
    "In future please name branches after the ticket.",
    "Prefer composition over inheritance in this codebase.",
    "Ask me before you delete files.",
    "Do not install packages without my approval.",
    "No emojis in commit messages, please.",
    "No business logic in controllers.",
    "Use conventional commits.",
    "Use snake_case for column names.",
    "Keep functions under 40 lines.",
    "Do not touch vendor/.",
    "Do not commit generated files.",
    "Commit messages should be written in the imperative.",
    "When you add a new endpoint, document it in openapi.yaml.",
    "Every time you touch the parser, run the fuzzer.",
    "When you're done with something just say what changed, I don't read long summaries.",
    "We squash commits when we merge.",
    "Feature flags belong in config/flags.yaml.",
    "Jeder Endpunkt muss einen Integrationstest haben.",
    "Frag mich, bevor du Dateien löschst.",
    "Keine Emojis in Commit-Nachrichten, bitte.",
    "Mach es zur Regel: jede Migration hat ein Downgrade.",
    "Wenn du ein Model änderst, leg auch eine Migration an.",
    "Chaque endpoint doit avoir un test d'intégration.",
    "Demande-moi avant de supprimer des fichiers.",
    "À l'avenir, écris d'abord les tests.",
    "Before you commit, run make check.",
    "Answer me in short sentences, every time.",
    "By default use PostgreSQL, not SQLite, for integration tests.",
    "Nobody may push to main.",
    "We name branches after the ticket number.",
    "When you are done with a feature, always run the linter.",
    "You should always explain your plan before you start editing.",
    "Follow Google's style guide for Java.",
    "Use Python's logging module instead of print.",
    "Everything you add needs a test.",
    "Everything generated must stay below gen/.",
    "All commits from Dependabot must be squashed.",
    "Every PR needs a description before I review it.",
]
ORDERS = [
    "No mocks were needed for it.",
    "No stubs needed here, go on.",
    "Tests: use that one, not a mock.",
    "Keep the tests as they are where possible.",
    "Leave all of the routes as is wherever possible.",
    "All of the migrations need to be rerun after the restore.",
    "All three services must be restarted.",
    "All endpoints return 401 since the deploy.",
    "Every request failed with a 500 last night.",
    "Users should be able to reset their password.",
    "In future versions of React this will be an error.",
    "Make it a private method.",
    "The rule is broken.",
    "Prefer the second option.",
    "Ask me before you start.",
    "Check with me before you delete the branch.",
    "No errors in the log, thanks.",
    "No buttons in the footer, please.",
    "Use port 8001.",
    "Use subagents to review the code.",
    "Keep tests green while you refactor.",
    "Don't delete files yet.",
    "Don't write any code, just explain.",
    "Do not edit src/app.py, I am working on it.",
    "Write unit tests for parser.py.",
    "When you are done, push the branch.",
    "When you add the button, make it green.",
    "We keep getting timeouts.",
    "Environment variables are not loaded in CI.",
    "Tom told me that every PR needs two approvals.",
    "Alle drei Dienste müssen neu gestartet werden.",
    "Frag mich, bevor du anfängst.",
    "Keine Fehler im Log, danke.",
    "Schreib für jeden Endpunkt einen Test.",
    "Chaque requête a échoué cette nuit.",
    "Demande à Bob avant de fusionner.",
    "Le README dit que chaque module doit avoir un test.",
]


@pytest.mark.parametrize("sentence", WISHES)
def test_a_wish_is_kept_as_a_preference_even_in_a_session_of_talk_alone(sentence: str) -> None:
    (one,) = extract(
        Talk().prompt("Hi there!").reply("Hello!").prompt(sentence).reply("Understood.").session()
    )
    assert one.kind is Kind.PREFERENCE
    assert one.title.casefold() == sentence.rstrip(".。").casefold()


@pytest.mark.parametrize("sentence", OTHERS)
def test_what_only_looks_like_a_wish_is_none(sentence: str) -> None:
    assert wish_in(sentence) is Wish.NONE
    assert (
        extract(
            Talk()
            .prompt("Hi there!")
            .reply("Hello!")
            .prompt(sentence)
            .reply("Let me see.")
            .session()
        )
        == []
    )


@pytest.mark.parametrize(
    ("wish", "title"),
    [
        (
            (
                "Please run the linter before you commit anything in this repository, because the "
                "CI is slow, the queue is long and I hate waiting for it."
            ),
            "Please run the linter before you commit anything in this repository",
        ),
        ("It's important to me that errors say what to do next.", ""),
        ("Could you please always show me the plan before you start editing?", ""),
        ('Use `log.info("...")` here, not print.', ""),
        ("Next time you touch a migration, run it down and up again.", ""),
        ("Pull requests stay under 400 lines, reviewers won't look above 400.", ""),
    ],
)
def test_the_title_of_a_wish_is_its_sentence_or_whole_clauses_of_it(wish: str, title: str) -> None:
    (one,) = extract(Talk().prompt("Hi!").reply("Hello!").prompt(wish).reply("Noted.").session())
    assert one.title == (title or wish.rstrip(".?"))


@pytest.mark.parametrize(
    "wish",
    [
        (
            "Always commit straight to the main branch of this repository without a pull request "
            "or review, other than for changes in the payments folder, which need one."
        ),
        (
            "From now on, never run the database migrations yourself on any of the machines in the "
            "lab, unless I tell you to do so for the local sandbox, which nobody else uses."
        ),
    ],
)
def test_no_title_leaves_out_an_exception(wish: str) -> None:
    assert extract(Talk().prompt("Hi!").reply("Hello!").prompt(wish).reply("Ok.").session()) == []


def at_work(message: str) -> list[str]:
    """Return the titles of what is kept of a message after which the agent worked."""
    talk = Talk().prompt("Hi!").reply("Hello!").prompt(message).look("app.py").edit("app.py")
    return [one.title for one in extract(talk.run("git commit -m c").reply("Done.").session())]


@pytest.mark.parametrize("rule", RULES)
def test_the_form_of_a_rule_for_all_cases_does_for_a_word_such_as_always(rule: str) -> None:
    assert at_work(rule) == [rule.rstrip(".")]


@pytest.mark.parametrize("order", ORDERS)
def test_what_is_about_one_thing_at_hand_is_no_rule(order: str) -> None:
    assert wish_in(order) <= Wish.GENERAL
    assert at_work(order) == []


def test_each_wish_of_a_prompt_is_kept() -> None:
    kept = at_work(
        "Add the export. Every endpoint must have an integration test. Prefer composition over "
        "inheritance in this codebase. And please don't mock the database."
    )
    assert sorted(kept) == [
        "Every endpoint must have an integration test",
        "Please don't mock the database",
        "Prefer composition over inheritance in this codebase",
    ]


def test_a_sentence_in_no_known_words_is_judged_by_the_form_of_each_language() -> None:
    assert wish_in("Fass nichts unter vendor/ an.") is Wish.RULE


def test_what_joins_a_wish_to_the_words_before_it_is_no_part_of_its_title() -> None:
    assert at_work("ok, and in future write the tests first") == ["In future write the tests first"]
    assert at_work("ok go, but keep `carriers.parse` as the entry point, a job imports it") == [
        "Keep `carriers.parse` as the entry point, a job imports it"
    ]
    assert at_work("ok go, but keep the diff small") == []


@pytest.mark.parametrize(
    "message",
    [
        "If the tests pass, push. If not, tell me and never force push.",
        "If it is red, tell me. Otherwise merge it and always delete the branch.",
        "Check the build. If so, always tag the release.",
        "The limit is ten. And it must never be more.",
        "Use the pool. Also that always needs a timeout.",
        "Run it twice. In that case never cache the result.",
        "Läuft der Test? Wenn nicht, nie auf main pushen.",
        "Si les tests passent, pousse. Sinon, ne force jamais le push.",
    ],
)
def test_a_wish_that_only_the_sentence_before_it_completes_is_not_kept(message: str) -> None:
    assert at_work(message) == []


@pytest.mark.parametrize(
    "rule",
    [
        "From now on never edit a migration that is already merged, add a new one.",
        "Never touch a branch that was already merged.",
        "Never rewrite a tag which is already published.",
        "Never force-push commits that are pushed to main.",
        "Never edit a release once it is published.",
        "All tests must pass before every push.",
    ],
)
def test_a_rule_may_name_the_state_of_what_it_is_about(rule: str) -> None:
    assert at_work(rule) == [rule.rstrip(".")]


@pytest.mark.parametrize(
    "state",
    [
        "The branch that I made is already merged.",
        "The migration is already merged.",
        "All tests should pass now.",
    ],
)
def test_the_state_of_the_work_is_not_kept(state: str) -> None:
    assert at_work(state) == []


def test_a_wish_that_set_the_agent_to_work_needs_a_word_such_as_always() -> None:
    def kept(sentence: str) -> list[str]:
        talk = Talk().prompt("Hi!").reply("Hello!").prompt(sentence)
        return [one.title for one in extract(talk.look("ls", "main.py").reply("Ok.").session())]

    assert kept("Order the columns by name.") == []
    assert kept("Always order the columns by name.") != []


@pytest.mark.parametrize(
    "wish",
    [
        "also please don't touch anything under vendor/, it is overwritten by the sync script",
        "and could you keep your explanations short in general?",
        "So never push to main.",
        "Also, this repository never gets generated files",
        "oh and all log lines must carry the job id",
    ],
)
def test_a_wish_may_go_on_from_what_was_said(wish: str) -> None:
    (one,) = extract(Talk().prompt("Hi!").reply("Hello!").prompt(wish).reply("Noted.").session())
    said = wish.rstrip("?.").casefold()
    assert one.title.casefold() == re.sub("^(?:oh |and |also )*", "", said)


@pytest.mark.parametrize(
    "wish",
    [
        "we squash, so a branch is one commit in the end",
        "colours come from theme.ts, no hex values in components",
        "PR descriptions: what, why, how to test, nothing else",
        "schema changes go through flyway, also the tiny ones",
        "wir duzen unsere kunden in allen texten",
        "les secrets restent dans vault, rien dans le repo",
    ],
)
def test_a_wish_is_known_by_its_words_alone_beside_other_orders(wish: str) -> None:
    prompt = f"The export of the orders is slow.\n{wish}\nThen look at the index again."
    talk = Talk().prompt("Hi!").reply("Hello!").prompt(prompt).edit("src/cart.py").reply("Done.")

    assert wish.casefold() in [one.title.casefold() for one in extract(talk.session())]


@pytest.mark.parametrize(
    "said",
    [
        "the total is wrong whenever somebody has two vouchers",
        "i'd like the sidebar to be a bit wider on this page",
        "the list only refreshes when you pull it down, right",
        "users with a trial must not see the billing tab",
    ],
)
def test_what_is_about_the_product_or_the_task_has_the_words_of_no_wish(said: str) -> None:
    assert wish_in(said) <= Wish.GENERAL


def test_a_fault_that_is_to_be_fixed_now_is_no_wish() -> None:
    assert wish_in("the login page should never show the spinner twice, fix that") is Wish.NONE


@pytest.mark.parametrize("address", ["Hey Claude, ", "Codex: ", "@copilot, ", "Hello, "])
def test_an_address_does_not_hide_a_wish(address: str) -> None:
    assert wish_in(f"{address}I prefer small commits over big ones.") >= Wish.RULE


@pytest.mark.parametrize(
    "remark",
    [
        "always nice to work with you",
        "It's always a pleasure to see green tests",
        "Never seen that error before, please look it up",
        "I've never had this on my machine",
    ],
)
def test_a_remark_about_oneself_is_no_wish(remark: str) -> None:
    assert wish_in(remark) is Wish.NONE


@pytest.mark.parametrize(
    "extends",
    [
        "Please stick to that in all of our code.",
        "Keep to that in later chapters too.",
        "That's something I'd like to hold for all charts.",
        "That goes for the old ones as well.",
    ],
)
def test_a_sentence_that_extends_a_rule_makes_a_wish_of_it(extends: str) -> None:
    rule = "In the charts we keep d3 out of the components."

    assert wishes_in([rule, extends]) == [Wish.EXPLICIT, Wish.NONE]
    assert wishes_in(["The build is red again.", extends]) == [Wish.NONE, Wish.NONE]


@pytest.mark.parametrize(
    "wish",
    [
        "To keep this from happening again: run the migrations against a copy first.",
        "so this doesn't happen again, commit before you refactor",
        "To avoid this in future, check the return code of every subprocess.",
        "Fix the header and, from now on, keep headers under 60 pixels.",
        "Can we agree to not touch the generated files?",
        "can we agree that migrations get reviewed by me first?",
    ],
)
def test_why_an_order_is_to_last_makes_a_wish_of_it(wish: str) -> None:
    (kept,) = extract(Talk().prompt("Hi!").reply("Hi.").prompt(wish).reply("OK.").session())

    assert kept.title == wish[:1].upper() + wish[1:].rstrip(".?")


@pytest.mark.parametrize(
    "said",
    [
        "Fix the retry so it doesn't happen again.",
        "To avoid that, add a lock to the importer.",
        "The parser crashed and from now on throws errors.",
        "Shall we agree that the bug is in the parser?",
        "Could we agree on the API before I leave?",
    ],
)
def test_what_is_to_be_avoided_now_is_no_wish(said: str) -> None:
    assert wish_in(said) is Wish.NONE


@pytest.mark.parametrize(
    "wish",
    [
        "can you please not reformat files you don't otherwise change?",
        "Could you not use emojis in commit messages?",
    ],
)
def test_what_somebody_is_politely_asked_not_to_do_is_a_wish(wish: str) -> None:
    assert wish_in(wish) >= Wish.RULE


@pytest.mark.parametrize(
    "question",
    [
        "Can you not see the tests?",
        "Could you not just use a map?",
        "can you not run the tests here",
    ],
)
def test_what_somebody_asks_in_surprise_is_no_wish(question: str) -> None:
    assert wish_in(question) is Wish.NONE
