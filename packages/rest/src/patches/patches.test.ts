/** JSON Patch and Merge Patch against plain implementations of the texts of RFC 6902, 6901 and 7396. */
import t from 'tap'
import fc from 'fast-check'
import { applyPatch, PatchError, readPatch, readPointer } from './json-patch.js'
import { mergePatch } from './merge-patch.js'
import { runsOf } from '../../../../test-fixtures/runs.mjs'

const limits = { operations: 100, characters: 100_000, depth: 64 }
const key = fc.constantFrom('a', 'b', 'c', '', '0', '1', '-', 'a/b', 'm~n', 'constructor', 'toString')
const { value } = fc.letrec(tie => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom(null, true, 0, 1, 'x'), fc.array(tie('value'), { maxLength: 3 }), fc.dictionary(key, tie('value'), { maxKeys: 3 })
  )
})) as { value: fc.Arbitrary<unknown> }
const escaped = (part: string): string => `/${part.replaceAll('~', '~0').replaceAll('/', '~1')}`
const pointer = fc.array(key, { maxLength: 3 }).map(parts => parts.map(escaped).join(''))
const operation = fc.oneof(
  fc.record({ op: fc.constantFrom('add', 'replace', 'test'), path: pointer, value }),
  fc.record({ op: fc.constant('remove'), path: pointer }),
  fc.record({ op: fc.constantFrom('move', 'copy'), path: pointer, from: pointer })
)
const plain = (given: unknown): any => JSON.parse(JSON.stringify(given))
const equal = (a: unknown, b: unknown): boolean => {
  if (a === null || b === null || typeof a !== 'object' || typeof b !== 'object') return a === b
  if (Array.isArray(a) !== Array.isArray(b)) return false
  const keys = Object.keys(a)
  return keys.length === Object.keys(b).length &&
    keys.every(k => Object.hasOwn(b, k) && equal((a as any)[k], (b as any)[k]))
}

/** Rebuilds the document with something done at a path: nothing is changed in place, unlike what is tested. */
function at (doc: unknown, parts: readonly string[], work: (holder: any, part: string) => unknown): unknown {
  const [part, ...rest] = parts as [string, ...string[]]
  if (doc === null || typeof doc !== 'object') throw new Error('no container')
  if (rest.length === 0) return work(Array.isArray(doc) ? [...doc] : { ...doc }, part)
  const inner = member(doc, part)
  const changed = at(inner, rest, work)
  return Array.isArray(doc) ? doc.map((each, i) => i === Number(part) ? changed : each) : { ...doc, [part]: changed }
}
function member (doc: any, part: string): unknown {
  if (Array.isArray(doc) ? !(String(Number(part)) === part && Number(part) >= 0 && Number(part) < doc.length) : !(doc !== null && typeof doc === 'object' && Object.hasOwn(doc, part))) throw new Error('nothing there')
  return doc[part]
}
const get = (doc: unknown, parts: readonly string[]): unknown => parts.reduce<unknown>(member, doc)
const add = (doc: unknown, parts: readonly string[], added: unknown): unknown => parts.length === 0
  ? added
  : at(doc, parts, (holder, part) => {
    if (!Array.isArray(holder)) return { ...holder, [part]: added }
    const i = part === '-' ? holder.length : Number(part)
    if ((part !== '-' && String(i) !== part) || i < 0 || i > holder.length) throw new Error('no position')
    return [...holder.slice(0, i), added, ...holder.slice(i)]
  })
const remove = (doc: unknown, parts: readonly string[]): unknown => {
  get(doc, parts)
  return parts.length === 0
    ? undefined
    : at(doc, parts, (holder, part) => Array.isArray(holder)
      ? holder.filter((_, i) => i !== Number(part))
      : Object.fromEntries(Object.entries(holder as object).filter(([name]) => name !== part)))
}
function reference (doc: unknown, operations: readonly any[]): unknown {
  return operations.reduce<unknown>((doc, { op, path, from, value }) => {
    const parts = readPointer(path) as string[]
    const source = from === undefined ? [] : readPointer(from) as string[]
    if (doc === undefined && !(op === 'add' && path === '')) throw new Error('there is no document')
    switch (op) {
      case 'add': return add(doc, parts, value)
      case 'remove': return remove(doc, parts)
      case 'replace': return parts.length === 0 ? (get(doc, parts), value) : add(isInList(doc, parts) ? remove(doc, parts) : (get(doc, parts), doc), parts, value)
      case 'move':
        if (path.startsWith(`${from as string}/`)) throw new Error('into itself')
        return source.length === 0 && parts.length === 0 ? doc : add(remove(doc, source), parts, get(doc, source))
      case 'copy': return add(doc, parts, get(doc, source))
      default:
        if (!equal(get(doc, parts), value)) throw new Error('test')
        return doc
    }
  }, doc)
}
const isInList = (doc: unknown, parts: readonly string[]): boolean => Array.isArray(get(doc, parts.slice(0, -1)))

t.test('JSON Patch', async t => {
  const numRuns = runsOf(3000)
  let applied = 0
  fc.assert(fc.property(value, fc.array(operation, { maxLength: 5 }), (doc, operations) => {
    const before = JSON.stringify(doc)
    const outcome = (work: () => unknown): { value?: unknown } => {
      try { return { value: work() } } catch { return {} }
    }
    const wanted = outcome(() => reference(plain(doc), operations))
    const given = outcome(() => {
      try { return applyPatch(doc, readPatch(operations, limits), limits) } catch (error) {
        if (!(error instanceof PatchError)) t.error(error)
        throw error
      }
    })
    if (JSON.stringify(doc) !== before) throw new Error('the document was changed')
    if ('value' in wanted) applied++
    return 'value' in wanted === 'value' in given &&
      equal(plain({ v: wanted.value ?? null }), plain({ v: given.value ?? null }))
  }), { numRuns })
  t.ok(applied > numRuns / 20, `${String(applied)} could be applied`)
})

t.test('Merge Patch', async t => {
  // The pseudo code of RFC 7396, section 2.
  const reference = (target: any, patch: any): any => {
    if (patch === null || typeof patch !== 'object' || Array.isArray(patch)) return patch
    const result = target === null || typeof target !== 'object' || Array.isArray(target) ? {} : { ...target }
    for (const [name, value] of Object.entries(patch)) {
      if (value === null) delete result[name]
      else result[name] = reference(Object.hasOwn(result, name) ? result[name] : undefined, value)
    }
    return result
  }
  fc.assert(fc.property(value, value, (target, patch) => {
    const before = JSON.stringify([target, patch])
    const merged = mergePatch(target, patch)
    return before === JSON.stringify([target, patch]) && equal(merged, reference(target, patch))
  }), { numRuns: 3000 })
  const polluted = mergePatch({}, JSON.parse('{"__proto__":{"x":1}}')) as any
  t.ok(Object.hasOwn(polluted, '__proto__'))
  t.equal(polluted.x, undefined)
})

t.test('examples of RFC 6902, appendix A', async t => {
  const table: Array<[unknown, unknown, unknown]> = [
    [{ foo: 'bar' }, [{ op: 'add', path: '/baz', value: 'qux' }], { baz: 'qux', foo: 'bar' }],
    [{ foo: ['bar', 'baz'] }, [{ op: 'add', path: '/foo/1', value: 'qux' }], { foo: ['bar', 'qux', 'baz'] }],
    [{ foo: ['bar', 'qux', 'baz'] }, [{ op: 'remove', path: '/foo/1' }], { foo: ['bar', 'baz'] }],
    [{ foo: ['all', 'grass', 'cows', 'eat'] }, [{ op: 'move', from: '/foo/1', path: '/foo/3' }], { foo: ['all', 'cows', 'eat', 'grass'] }],
    [{ foo: 'bar' }, [{ op: 'add', path: '/baz', value: 'qux', xyz: 123 }], { foo: 'bar', baz: 'qux' }],
    [{ '/': 9, '~1': 10 }, [{ op: 'test', path: '/~01', value: 10 }], { '/': 9, '~1': 10 }],
    [{ foo: null }, [{ op: 'add', path: '/foo', value: 1 }], { foo: 1 }]
  ]
  for (const [doc, operations, wanted] of table) {
    t.strictSame(applyPatch(doc, readPatch(operations, limits), limits), wanted)
  }
  for (const [doc, operations] of [[{ foo: 'bar' }, [{ op: 'add', path: '/baz/bat', value: 'qux' }]], [{ '/': 9, '~1': 10 }, [{ op: 'test', path: '/~01', value: '10' }]]]) {
    t.throws(() => applyPatch(doc, readPatch(operations, limits), limits))
  }
})
