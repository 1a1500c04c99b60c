import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import t from 'tap'
import { esModule } from './es-module.js'

t.test('a strict script that begins with its calls of require is an ES module, and keeps its style', async t => {
  const dir = t.testdir({ lib: { 'price.js': '' } })
  const file = path.join(dir, 'models/note.mjs')
  mkdirSync(path.dirname(file))
  t.same(esModule(`// Notes.
'use strict';

const fs = require('fs'), price = require('../lib/price');
var { a, b: c } = require('some-package');

module.exports = function(Note) {
  Note.sum = async () => price(a, c, fs); // a comment
};

function helper() {}
`, file), {
    text: `// Notes.
import fs from 'node:fs'
import price from '../lib/price.js'
import somePackageModule from 'some-package'
const { a, b: c } = somePackageModule

export default function(Note) {
  Note.sum = async () => price(a, c, fs); // a comment
}

function helper() {}
`
  })
  t.same(esModule("'use strict'\nmodule.exports = Note => {}\n", file), { text: 'export default Note => {}\n' })
})

t.test('what would mean something else is left, with its line', async t => {
  const dir = t.testdir({})
  writeFileSync(path.join(dir, 'data.json'), '{}')
  for (const [text, reason, line] of [
    ['module.exports = () => {}', /not strict/, 1],
    ["'use strict'\nexports.x = 1", /no single/, 1],
    ["'use strict'\nmodule.exports = 1\nmodule.exports = 2", /no single/, 3],
    ["'use strict'\nmodule.exports = () => {\n  require('x')\n}", /"require" further down/, 3],
    ["'use strict'\nmodule.exports = () => __dirname", /"__dirname"/, 2],
    ["'use strict'\nstart()\nconst x = require('x')\nmodule.exports = x", /"require" further down/, 3],
    ["'use strict'\nconst data = require('./data.json')\nmodule.exports = data", /no script/, 2],
    ["'use strict'\nconst loopback = require('loopback')\nmodule.exports = () => {}", /"loopback"/, 2],
    ["'use strict'\nmodule.exports = {", /Unexpected token/, 1]
  ] as const) t.match(esModule(text, path.join(dir, 'x.mjs')), { reason, line }, text)
  t.same(esModule("'use strict'\nmodule.exports = { require: 1, x: y.module }", path.join(dir, 'x.mjs')), {
    text: 'export default { require: 1, x: y.module }'
  })
})
