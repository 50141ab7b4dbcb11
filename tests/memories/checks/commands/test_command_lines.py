"""Which command lines stay inside a repository, by all that stands in them."""

import pytest
from support.repos import with_files

from git_lerim.git.engines.open_objects import open_objects
from git_lerim.git.repo import discover
from git_lerim.memories.checks.commands.command_lines import is_own
from git_lerim.storage.trust.head_code import HeadCode

FILES = {
    "Makefile": "test lint:\n\tpytest\n",
    "package.json": '{"scripts": {"test": "jest"}, "devDependencies": {"eslint": "9"}}\n',
    "pyproject.toml": '[project]\nname = "shop"\n',
    **dict.fromkeys(
        (
            "Dockerfile", "ok.py", "ok.js", "pom.xml", "gradlew", "requirements.txt",
            "scripts/ok.sh", "src/a.py", "src/a.c", "src/a.ts", "src/shop/include/a.h",
            "tests/x.py", "cmd/shop/main.go", "docker/compose.yml", "web/src/b.js", "web/x.py",
        ),
        "#\n",
    ),
}  # fmt: skip
LEAVES = (
    # a path that is not tracked, in whatever way it is named
    "make -fbuild/out.mk", "make --directory=node_modules/evil test", "make -C test",
    "make --file test", "just --justfile=build/evil", "npm test --prefix=node_modules/evil",
    "npm --prefix=evil test", "npm --prefix test run test", "yarn --cwd=node_modules/evil test",
    "npm run test --script-shell=build/x", "npm test -- --config=build/x", "npm ci --prefix evil",
    "bun test --preload build/x", "java -jar build/evil.jar", "java -cp build Evil",
    "pip install ./build/evil", "pip install ./build/evil[x]", "pip install -rX .",
    "pip install --requirement=build/r.txt .", "pip install ./b*/evil", "pip install -rbuild/r .",
    "npm install ./build/evil", "go run ./build/evil", "go run ./b*/evil", "go test ./build/...",
    "pytest build/evil.py", "pytest build/evil.py::test_x", "pytest */evil.py",
    "pytest ./*/evil.py", "pytest 'build/evil.py'", 'pytest "build"/evil.py',
    "gradle -p build/evil test", "gradle --include-build=build/evil test", "gradle -pevil test",
    "cargo test --config build/evil.toml", "cargo run --manifest-path=build/evil/Cargo.toml",
    "mvn test -f build/pom.xml", "mvn test -fbuild/pom.xml", "mvn test -f evil.xml",
    "mvn verify -Dexec.executable=build/x", "bazel test //build/evil:all",
    "bazel test --override_repository=a=build", "docker build -f build/Dockerfile .",
    "docker compose -f build/c.yml up", "gcc -fplugin=build/x src/a.c", "gcc -I/src src/a.c",
    "gcc src/a.c,build/x", "tsc -p node_modules/evil", "tsc --project build",
    "eslint --resolve-plugins-relative-to build src", "sed -f build/x src/a.py",
    "sed -nf build/x src/a.py", "awk --file=build/x src/a.py", "pre-commit run --config=build/x",
    "coverage run --rcfile=build/x ok.py", "coverage run --source src evil.py",
    "scripts/ok.sh build/x", "./gradlew -p build/evil test", "uv run pytest build/evil.py",
    # elsewhere, before what is asked
    "cd node_modules/evil && make test", "cd build; npm test", "cd && make test",
    "cd web && python ok.py", "cd sub && make test", "pytest & build/x", "pytest tests&build/x",
    # a submodule
    "python sub", "node sub", "go run ./sub", "pip install ./sub", "npm install ./sub",
    "pytest sub/x.py",
    # what an interpreter runs beside or in place of its script
    "node --require=X ok.js", "node --require ok.js evil.js", "node -r ./build/x ok.js",
    "node --import=evil ok.js", "python -mevil ok.py", "perl -Mevil ok.py", "ruby -rx ok.py",
    "python evil.py -m pytest", "bash -m build", "bash -O ok.py evil.sh", "python .", ". evil",
    'bash -c"source build/x" scripts/ok.sh', "python -m timeit 'exec(x)'", "python //ok.py",
    "php -d auto_prepend_file=x ok.py", "python -W ok.py evil.py",
    # what publishes, wherever it stands
    "docker compose push", "docker build --push", "docker build -o type=registry .",
    "gradle build publish", "gradle :app:publishAllPublications", "rake build release",
    "rake gem:push", "./gradlew build uploadArchives",
    # what weakens a check
    "git commit --no-verif", "git commit -nm x", "git commit -anm x", "git commit --no-gpg -m x",
    "LEFTHOOK=0 git commit", "git add -f .env", "git add --forc .env", "eslint --no-eslintrc src",
    'echo "exit 0" > .husky/pre-commit', "echo x >.husky/pre-commit", "echo x > ./.git/hooks/x",
    "echo x > src/.husky/pre-commit", "echo x <ok.py> .husky/pre-commit",
    "echo x | tee .git/hooks/pre-commit", "sed -i s/1/0/ .husky/pre-commit",
    "pytest -x || true", "mypy src; exit 0", "ruff check --exit-zero src",
    "mypy --ignore-errors src",
    "npx jest --passWithNoTests", "echo x >> scripts/ok.sh && bash scripts/ok.sh",
    # code of a branch that is not checked out, and what sends its output
    "git checkout origin/x -- scripts/ok.sh && bash scripts/ok.sh", "git checkout FETCH_HEAD",
    "git show origin/x:ok.sh > scripts/ok.sh", "git pull origin x && make test",
    "git merge origin/x", "git reset --hard upstream/x", "pytest --pastebin=all",
    "git checkout fork/x -- scripts", "git pull bob main", "git restore --source origin/x src",
    "git restore --source=origin/x src", "git restore -sorigin/x .", "git restore -SWsorigin/x .",
    "git cherry-pick ..origin/x", "git read-tree -u -m origin/x", "pytest | tee Makefile",
    "cd src && pytest > a.py", "pytest || echo ok", "mvn test -DskipTests",
    "ctest -D Experimental", "ctest -DNightly",
    # what runs in a shortened option of git, or joined to one
    "git fetch --upload-pac=build/x origin", "git rebase -xbuild/x main", "git grep -Obuild/x foo",
    "git init --templ=build/x", "git rebase --exe build/x main", "git diff --outp=ok.py",
    # where packages come from
    "GOSUMDB=off go build ./...", "NPM_CONFIG_STRICT_SSL=false npm install",
    "PIP_NO_INDEX=1 pip install .", "UV_INSECURE_HOST=all uv sync", "GONOSUMDB=all go build",
    "uv sync --index=evil", "uv sync --default-index evil", "npm ci --strict-ssl=false",
    "pip install --index-ur=evil .", "pip install --find-links evil .",
)  # fmt: skip
STAYS = (
    "pytest tests/x.py::test_y", "pytest tests/x.py -k name -x -q", "pytest tests/", "pytest .",
    "pytest --junitxml=build/report.xml --cov=src/shop tests", "pytest tests/<module>.py",
    "pytest <path/to/test>", "python -m pytest tests/x.py", "python -m unittest tests/x.py",
    "python3 -u ok.py --verbose", "python --version", "node --test tests/x.py",
    "bash -eu scripts/ok.sh",
    "coverage run --branch --source=src -m pytest", "uv run pytest tests", "uv sync --extra dev",
    "go test ./...", "go test ./cmd/...", "go test -run TestParse/empty ./cmd/shop",
    "go build -o bin/shop ./cmd/shop", "go run ./cmd/shop", "go run .", "cargo test --package foo",
    "cargo test --target-dir build/cargo", "cargo clippy --all-targets -- -D warnings",
    'prettier --write "src/**/*.ts"', "prettier --check '**/*.ts'", "eslint src/ --ext .js,.ts",
    "eslint 'src/*.{js,ts}'", "jest -t 'adds a/b'", "tsc --noEmit -p .", "ruff check src tests",
    "docker build -t org/app .", "docker build --tag=org/app:1 -f Dockerfile .",
    "docker compose -f docker/compose.yml up -d", "docker compose logs -f web",
    "docker build --platform linux/amd64 .", "gcc -o build/app src/a.c",
    "gcc -Isrc/shop/include -Wall src/a.c", "cmake -B build -S .", "cmake --build build/debug",
    "ctest --test-dir build/debug", "ninja -C build/debug", "javac -d build/classes src/a.c",
    "npm ci", "npm install", "npm install .", "npm test -- tests/x.py", "npx eslint src",
    "npm run test -- --grep @slow/x", "pip install -e .[dev]", "pip install -r requirements.txt",
    "pip install -e '.[dev,test]'", "make -j4 test", "make -j 4 -k test lint", "make -s lint",
    "gradle build test --tests Foo", "./gradlew check", "mvn verify",
    "bazel test //...", "bazel build //cmd/shop:shop", "bazel test --config=ci //src/...",
    "git rebase origin/main", "git commit -am 'fix add -n'", "git add -A",
    "git add src/a.py", "git commit -m 'build/x'", "git clean -n", "git diff --text",
    "git stash pop --index", "git checkout <branch>", "git log --root", "git cherry-pick -n main",
    "cd web && pytest x.py", "cd web && eslint src/b.js", "cd ./web/ && npm test",
    "make test 2>&1|tail",
    "grep -rn '/api/v1' build/out", "sed -n '/start/,/end/p' src/a.py", "cat build/log.txt",
    "awk '/x/ {print $1}' src/a.py", "grep -c 'a => b' src/a.ts", "ls build/ > files.txt",
    "sed -i s/1/2/ src/a.py", "echo x | tee build/log", "CI=1 npm test", "TZ=UTC pytest",
    "find . -name '*.py'", "pytest --ignore=tests", "git pull --rebase origin main",
    "git merge origin/main",
    "git rebase refs/remotes/origin/main", "git reset --hard origin/main~3",
    "git pull origin refs/heads/main", "git checkout src/a.py", "git show HEAD:src/a.py",
    "git checkout main -- src/a.py",
    "git fetch origin feature/x", "git switch feature", "pytest > out.txt", "mypy src; ruff check",
    "pre-commit run --from-ref origin/main --to-ref HEAD",
)  # fmt: skip


@pytest.fixture(scope="module")
def code(tmp_path_factory: pytest.TempPathFactory) -> HeadCode:
    repo = with_files(tmp_path_factory.mktemp("commands") / "repo", FILES, "sub")
    place = discover(repo.path, {})
    return HeadCode(place, open_objects(place))


@pytest.mark.parametrize("command", LEAVES)
def test_what_leaves_the_repository_is_told_in_every_spelling(code: HeadCode, command: str) -> None:
    assert not is_own(command, code)


@pytest.mark.parametrize("command", STAYS)
def test_ordinary_commands_stay_inside(code: HeadCode, command: str) -> None:
    assert is_own(command, code)
