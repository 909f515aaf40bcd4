// YAML as people write it for other programs: texts in the styles of common files, made for these specs.

export const yamlTexts: readonly (readonly [style: string, text: string])[] = [
  [
    'a compose file',
    `# Local services.
x-defaults: &defaults
  restart: unless-stopped
  logging: {driver: json-file, options: {max-size: "10m"}}

services:
  db:
    <<: *defaults
    image: "postgres:16"   # pinned
    environment:
      - POSTGRES_USER=app
      - 'POSTGRES_PASSWORD=change me'
    healthcheck:
      test: ["CMD-SHELL", "pg_isready -U app"]
      interval: 10s

  # The program itself.
  web:
    build: .
    ports:
      - "8080:80"
      # - "8443:443"
    depends_on: [db]
    command: >
      sh -c "migrate &&
      serve --port 80"
volumes:
  data:
  cache: ~
`,
  ],
  [
    'a job of a build server',
    `name: Build
on:
  push:
    branches: [ main, 'release/**' ]
  pull_request:

jobs:
  test:
    runs-on: \${{ matrix.os }}
    strategy:
      matrix:
        os: [ubuntu-latest, windows-latest]
        node: [20, 22]
        include:
          - os: ubuntu-latest
            node: 24   # next

    steps:
    - uses: actions/checkout@v4
    - name: Use Node
      uses: actions/setup-node@v4
      with:
        node-version: \${{ matrix.node }}
        cache: npm

    # Everything in one step.
    - run: |
        npm ci
        npm test -- --reporter dot

        echo "done"
      env:
        CI: true
    - if: always()
      run: echo 'it''s over'
`,
  ],
  [
    'a manifest of a cluster',
    `apiVersion: apps/v1
kind: Deployment
metadata:
    name: shop
    labels: { app: shop, tier: "front" }
spec:
    replicas: 3
    selector:
        matchLabels:
            app: shop
    template:
        spec:
            containers:
            -   name: shop
                image: registry.example/shop:1.2
                args: ["--port", "8080"]
                resources:
                    limits: {cpu: 500m, memory: 128Mi}

            -   name: proxy
                image: registry.example/proxy
                env:
                -   name: LEVEL
                    value: "1"
`,
  ],
  [
    'a playbook',
    `- hosts: web
  become: yes
  vars:
    port: 0o17
    ratio: 1_000
    when: 2001-12-14
  tasks:
    - name: install
      apt: name=nginx state=present
      when: ansible_os_family == "Debian"
      tags: [ 'web',  'base' ]

    - name: |-
        template
          indented
      template:
        src: site.conf.j2
        dest: "/etc/nginx/sites-enabled/{{ name }}.conf"
      notify:
      - restart nginx   # at the end
      # - reload

# Handlers of all hosts.

- hosts: all
  handlers: []
`,
  ],
  [
    'a description of an API',
    `openapi: 3.1.0
info:
  title: Shop
  description: >-
    Sells things.

    Twice a day,
    to everybody.
  version: '1.0'
paths:
  /items/{id}:
    get:
      parameters:
        - {name: id, in: path, required: true, schema: {type: integer, minimum: 1}}
      responses:
        '200':
          description: The item
          content:
            application/json:
              schema: { $ref: '#/components/schemas/Item' }
        404: {description: none}
components:
  schemas:
    Item:
      type: object
      properties: {id: {type: integer}, name: {type: string}}
      example:
        name: "caf\\u00e9 \\
          au lait"
`,
  ],
  [
    'settings in brackets over lines',
    `{
  # All of them.
  root: true,
  extends: [
    'base',
    "more", # strict
  ],
  rules: {
    quotes: [error, single, { avoidEscape: true }],
    semi: off,
    'no-console': [
      warn ],
  },
}
`,
  ],
  [
    'a file of translations',
    `de:
  greeting: "Grüße, %{name}!"
  empty: ""
  yes: 'ja'
  "no": nein
  lines: |2
      indented first
    then not
  kept: |+
    last line

  long: plain text that goes
    on in the next line

    and after an empty one
  emoji: 😀 # smile
? en
: greeting: Hello
`,
  ],
  [
    'a list of lists',
    `- - a
  - b # two

  - c
-
  - d
- []
- - - deep
# last
- {x: [1, 2], y}
`,
  ],
  ['no list below its key, at its column', 'a:\n- b: 1\n  c:\n  - d\n\n  - e\n# f\n- g\nh: 1\n'],
  ['nothing but empty values', 'a:\nb: # why\nc: ""\nd: {}\ne: []\nf:\n  -\n  - ~\n  -   # none\n'],
  ['a table of tabs and blanks', 'a:\t1\t# one\nb  :  2   \nc: [ 1 ,2 ,  3 ]\t\nd: { x : 1 ,y: 2 }\n'],
  ['JSON in one line', '{"a":[1,2,{"b":null}],"c":{"d":"x\\ty"},"e":[]}\n'],
  [
    'JSON over lines',
    '{\n    "a": [\n        1,\n        {\n            "b": "x"\n        }\n    ],\n    "c": { "d": [1, 2] },\n    "e": {}\n}\n',
  ],
];
