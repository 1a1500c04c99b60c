// FASTBACK_TEST_FULL: prompts of processes.
/** Every generator is answered at a terminal, one of them at a real one; what was written is served. */
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import t from 'tap'
import { address, start } from './child.js'
import { down, enter, talk } from './dialogue.js'
import { dialogues, shop } from './dialogues.js'
import { atTerminal, noTerminal } from './pseudo-terminal.js'

const json = (folder: string, file: string) => JSON.parse(readFileSync(path.join(folder, file), 'utf8'))

t.test('CL-1: all eleven generators ask for what they need, and what they write is served', async t => {
  const folder = await shop(t)
  for (const [what, steps] of dialogues) {
    const { code, err, left } = await talk(folder, ['add', what, '--allow-dirty'], steps)
    t.equal(code, 0, `${what}: ${err}`)
    t.same(left, [], what)
  }
  const { properties, relations, mixins, methods, acls } = json(folder, 'common/models/tea.json')
  t.same(properties, { title: { type: 'string', required: true }, cups: { type: 'number', default: 2 } })
  t.same(relations, { blend: { type: 'belongsTo', model: 'Tea', foreignKey: 'blendId' } })
  t.same(mixins, { Stamped: true })
  t.same(methods.brew, {
    accepts: [{ arg: 'cups', type: 'number', required: true }],
    returns: [{ arg: 'ready', type: 'boolean', root: false }],
    description: 'Brews',
    http: [{ path: '/brew', verb: 'post' }]
  })
  t.same(acls, [{ accessType: '*', principalType: 'ROLE', principalId: '$everyone', permission: 'ALLOW' }])
  t.match(json(folder, 'server/component-config.json'), { './components/metrics': { on: true } })
  t.match(json(folder, 'server/middleware.json').routes, { './middleware/stamp': { paths: ['/api'] } })
  t.match(json(folder, 'server/datasources.json').cache, { connector: 'memory' })
  t.ok(existsSync(path.join(folder, 'server/boot/greet.js')))

  // Another process: this one has kept the scripts as they were before methods were added.
  const url = await address(start(t, ['serve', folder, '--port', '0']))
  const post = async (at: string, body: object): Promise<Response> => await fetch(`${url}/api/${at}`, {
    method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body)
  })
  t.match(await (await post('teas', { title: 'Assam' })).json(), { title: 'Assam', cups: 2, id: 1 })
  t.equal((await post('teas/brew', { cups: 1 })).status, 501, 'nobody has written it')
})

t.test('CL-1: a generator at a real terminal', { skip: noTerminal }, async t => {
  const folder = await shop(t)
  const { code, shown } = await atTerminal(folder, ['add', 'boot-script', '--allow-dirty'], [
    ['Name of the script', `gr.eet${enter}`], ['a name has no', `\u007f\u007f\u007f\u007f\u007f\u007fhello${enter}`], ['start wait', down + enter]
  ])
  t.equal(code, 0, shown)
  t.match(shown, 'created  server/boot/hello.js')
  t.match(readFileSync(path.join(folder, 'server/boot/hello.js'), 'utf8'), 'export default function hello (app)')
  const stopped = await atTerminal(folder, ['add', 'mixin', '--allow-dirty'], [['Name of the mixin', '\u0003']])
  t.equal(stopped.code, 130, 'Ctrl-C')
  t.notOk(existsSync(path.join(folder, 'common/mixins')))
})
