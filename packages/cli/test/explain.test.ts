/** `fastback explain`: every error code, from the same source as the page of errors. */
import t from 'tap'
import { failureText } from '../src/failure.js'
import { explanations } from '../src/explanations.js'
import { run } from './terminal.js'

t.test('a code is explained: where, what it says, why and what to do', async t => {
  const { code, out } = await run('.', ['explain', 'fbk_boot_unknown_model'])
  t.equal(code, 0)
  t.equal(out, [
    'FBK_BOOT_UNKNOWN_MODEL',
    '  Where    At the start, or in a command, from @fastback/boot',
    '  It says  …: there is no definition of the model "…" in ….…',
    '  Cause    model-config.json names a model of which there is no file, or in another folder.',
    '  To do    Make it (`fastback add model NAME`), correct the name, or add the folder to `_meta.sources`.',
    '  See      The guide "models"'
  ].join('\n'))
  t.match((await run('.', ['explain', 'VALIDATION_FAILED'])).out, /status 422 of an answer[^]*error\.details/i)
  t.match((await run('.', ['explain', 'FBK_AUDIT_OPEN_MODEL'])).out, /A finding of "fastback audit"[^]*without any rule/)
  t.match(JSON.parse((await run('.', ['explain', 'INVALID_INCLUDE', '--json'])).out), { kind: 'request', statuses: [400] })
})

t.test('a code that there is not: those with the word, else the nearest', async t => {
  t.match(await run('.', ['explain', 'FBK_CORE_UNKNWN_MODEL']), { code: 2, err: /Did you mean "FBK_CORE_UNKNOWN_MODEL"\?/ })
  t.match(await run('.', ['explain', 'mixin']), { code: 2, err: /With it: FBK_CORE_UNDEFINED_MIXIN\./ })
  t.match(await run('.', ['explain', '__proto__']), { code: 2, err: /There is no error code "__proto__"\. "fastback explain" lists all\./ })
})

t.test('all of them, by package', async t => {
  const { out } = await run('.', ['explain'])
  t.match(out, /^@fastback\/acl\n {2}ACCESS_DENIED +Access Denied\n/)
  const all = explanations()
  t.ok(all.length > 350, `${all.length} codes`)
  t.equal(out.match(/^ {2}\S/gm)?.length, all.length, 'each once')
  for (const { code, meaning, says, cause } of all) t.ok(meaning ?? says[0] ?? cause, code)
})

t.test('a failure leads to its explanation once; what was called wrongly, or found, does not', async t => {
  const failed = await run(t.testdir(), ['routes', 'nowhere'])
  t.match(failed, { code: 1, err: /\nMore: fastback explain FBK_BOOT_FOLDER$/ })
  t.equal(failed.err.match(/More:/g)?.length, 1)
  t.notMatch((await run('.', ['srve'])).err, 'More:')
  const coded = (code: string) => failureText(Object.assign(new Error('no'), { code }), { stack: false })
  t.equal(coded('ECONNREFUSED'), 'error ECONNREFUSED: no', 'a code of somebody else')
  t.equal(coded('TABLE_MISSING'), 'error TABLE_MISSING: no\nMore: fastback explain TABLE_MISSING')
})
