/**
 * Databases that are there (OTHERS_DATABASES: their URLs, with spaces in between), whoever made them: every list, row
 * and relation, and every row put back. They are written to: give copies.
 */
import t from 'tap'
import { faultsOf } from './faults.js'
import { serveTables, type Row } from './served-tables.js'

const engineOf = (url: string): 'sqlite' | 'postgres' | 'mysql' =>
  url.startsWith('sqlite:') ? 'sqlite' : url.startsWith('postgres') ? 'postgres' : 'mysql'

const given = (process.env.OTHERS_DATABASES ?? '').split(/\s+/).filter(each => each !== '')

t.test('databases that are given', { skip: given.length === 0 ? 'OTHERS_DATABASES names none' : false }, async t => {
  for (const url of given) {
    const tables = await serveTables(url)
    t.teardown(tables.close)
    t.ok(tables.models.length > 0, `${url}: ${tables.models.length} models`)
    for (const model of tables.models) {
      if (!model.isPublic) {
        t.comment(`${model.name} is not published`)
        continue
      }
      const types = new Map([...model.columns].map(([column, property]) => [column, property === 'GeoPoint' ? 'point' : '']))
      t.strictSame(await faultsOf(engineOf(url), url, tables, model, { types }), [], model.name)
      t.strictSame(await relationFaults(tables, model), [], `relations of ${model.name}`)
    }
  }
})

type Loose = any

async function relationFaults ({ ask }: Loose, { plural, id, relations }: Loose): Promise<string[]> {
  const rows = id === undefined ? [] : (await ask('GET', `/${plural}?filter={"limit":3}`)).body as Row[]
  const faults: string[] = []
  for (const row of rows) {
    for (const name of relations) {
      const alone = await ask('GET', `/${plural}/${encodeURIComponent(String(row[id]))}/${name}`)
      const filter = encodeURIComponent(JSON.stringify({ where: { [id]: row[id] }, include: name }))
      const beside = await ask('GET', `/${plural}?filter=${filter}`)
      const included = (beside.body as Row[] | undefined)?.[0]?.[name] ?? null
      const isSame = JSON.stringify(included) === JSON.stringify(alone.status === 404 ? null : alone.body)
      if (!isSame) faults.push(`${name}: ${alone.status} ${alone.text.slice(0, 200)}, included ${JSON.stringify(included).slice(0, 200)}`)
    }
  }
  return faults
}
