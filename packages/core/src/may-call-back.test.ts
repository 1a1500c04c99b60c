/* eslint-disable no-extra-bind -- bound ones are what is asked about */
import t from 'tap'
import { mayCallBack } from './may-call-back.js'

const sent: unknown[] = []

t.test('a function may call back where it can get at what follows its values', async t => {
  const may: ReadonlyArray<readonly [string, (...args: never[]) => unknown]> = [
    ['a parameter more', (mail: unknown, next: unknown) => [mail, next]],
    ['rest parameters', (...args: unknown[]) => args],
    ['rest after a parameter', (mail: unknown, ...more: unknown[]) => [mail, more]],
    ['a default of the call-back', (mail: unknown, next: unknown = () => {}) => [mail, next]],
    ['a default of the value', (mail: unknown = {}, next: unknown = undefined) => [mail, next]],
    ['a method', { send (mail: unknown = (1 + 1), next: unknown = []) { sent.push(mail, next) } }.send],
    ['arguments', function () { return arguments[1] as unknown }],
    ['arguments handed on', function (this: unknown) { return sent.push.apply(sent, arguments as never) }],
    ['a bound one that shows nothing', ((...args: unknown[]) => args).bind(undefined)]
  ]
  for (const [name, fn] of may) t.equal(mayCallBack(fn, 1), true, name)
})

t.test('a function that sees its values alone does not', async t => {
  const never: ReadonlyArray<readonly [string, (...args: never[]) => unknown]> = [
    ['no parameter', () => {}],
    ['one value', (mail: unknown) => mail],
    ['an async function that passes the rest on', async (mail: unknown, ...more: unknown[]) => [mail, more]],
    ['a pattern with defaults', ({ to = 'a', cc = [1, 2] }: { to?: string, cc?: number[] } = {}) => [to, cc]],
    ['a word in a message', function (mail: unknown) { if (mail === 1) throw new Error('wrong arguments') }],
    ['a word in a comment', function (mail: unknown) { /* (arguments) */ sent.push(mail) }],
    ['a bound one with its value', ((mail: unknown) => { sent.push(mail) }).bind(undefined)]
  ]
  for (const [name, fn] of never) t.equal(mayCallBack(fn, 1), false, name)
  t.equal(mayCallBack(((mail: unknown) => mail).bind(undefined), 1, true), true, 'who asks may say what bound ones do')
})
