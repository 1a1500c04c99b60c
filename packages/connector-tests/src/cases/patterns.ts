import type { SuiteCase } from '../suite-case.js'

type Table = ReadonlyArray<readonly [where: object, ids: readonly number[]]>

const likes: Table = [
  [{ name: { like: '%a%' } }, [1, 2, 5, 6, 8]],
  [{ name: { like: 'Ass%' } }, [1]],
  [{ name: { like: 'ass%' } }, []],
  [{ name: { like: '%Tea' } }, [6]],
  [{ name: { like: 'Tea' } }, []],
  [{ name: { like: 'M_g' } }, [4]],
  [{ name: { like: '_u%' } }, [3, 4]],
  [{ name: { like: '%' } }, [1, 2, 3, 4, 5, 6, 8]],
  [{ name: { like: '' } }, []],
  [{ name: { like: '%100\\%%' } }, [8]],
  [{ name: { like: '%Card\\_%' } }, [8]],
  [{ name: { like: '%\\\\' } }, [8]],
  [{ name: { like: '%.%' } }, []],
  [{ name: { nlike: '%a%' } }, [3, 4, 7]],
  [{ name: { nlike: '%' } }, [7]],
  [{ name: { ilike: '%MUG%' } }, [4]],
  [{ name: { ilike: 'a%' } }, [1, 6]],
  [{ name: { nilike: '%A%' } }, [3, 4, 7]],
  [{ name: { like: 'a%', options: 'i' } }, [1, 6]],
  [{ name: { like: '%a%' }, price: { gt: 10 } }, [5, 6]]
]

const regexps: Table = [
  [{ name: { regexp: '^A' } }, [1, 6]],
  [{ name: { regexp: 'a$' } }, [2, 6]],
  [{ name: { regexp: '^(Mug|Puer)$' } }, [3, 4]],
  [{ name: { regexp: '/^s/i' } }, [2]],
  [{ name: { regexp: '/^s/' } }, []],
  [{ name: { regexp: '^s', options: 'i' } }, [2]],
  [{ name: { regexp: '\\d+%' } }, [8]],
  [{ name: { regexp: 'Tea|Card' } }, [6, 8]],
  [{ name: { regexp: '^$' } }, []],
  [{ name: { regexp: /SENCHA/i } }, [2]],
  [{ name: /^M/ }, [4]],
  [{ nor: [{ name: { regexp: 'a' } }] }, [3, 4, 7]]
]

const caseOf = (name: string, rows: Table, needs: SuiteCase['needs'] = []): SuiteCase => ({
  name,
  needs,
  async run (t, store) {
    await store.seed()
    for (const [where, ids] of rows) {
      t.same(await store.ids(where), ids,
        JSON.stringify(where, (_key, value: unknown) => value instanceof RegExp ? String(value) : value))
    }
  }
})

export const patternCases: readonly SuiteCase[] = [
  caseOf('like is anchored and minds case, ilike does not', likes),
  caseOf('regexp searches anywhere', regexps, ['regexp']),
  {
    name: 'case folds beyond ASCII, and `_` is one character',
    async run (t, store) {
      for (const name of ['ÉCOLE', 'école', 'Σίσυφος', 'straße', 'a😀b']) await store.create('Item', { name })
      t.same(await store.ids({ name: { ilike: 'École' } }), [1, 2])
      t.same(await store.ids({ name: { like: 'École' } }), [])
      t.same(await store.ids({ name: { ilike: 'ΣΊΣΥΦΟΣ' } }), [3])
      t.same(await store.ids({ name: { ilike: 'STRA_E' } }), [4])
      t.same(await store.ids({ name: { like: 'a_b' } }), [5])
      t.same(await store.ids({ name: { like: 'a__b' } }), [])
    }
  },
  {
    name: 'a hostile pattern takes no time',
    async run (t, store) {
      await store.create('Item', { name: 'a'.repeat(5000) + 'b' })
      const start = Date.now()
      t.same(await store.ids({ name: { like: '%a%a%a%a%a%a%a%a%a%a%a%a%c' } }), [])
      t.ok(Date.now() - start < 2000)
    }
  }
]
