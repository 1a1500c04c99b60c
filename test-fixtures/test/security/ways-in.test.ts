// FASTBACK_TEST_FULL: every way in with every kind of token.
/** Ways in that read rows, against ways to narrow what is read: S-91, S-104, S-105. Each cell is a test. */
import tap from 'tap'
import { start, stores } from './ways-in/application.js'
import { narrowings } from './ways-in/narrowings.js'
import { reading } from './ways-in/reading.js'
import { writing } from './ways-in/writing.js'

for (const [storeName, store] of Object.entries(stores)) {
  for (const [narrowingName, narrowing] of Object.entries(narrowings)) {
    tap.test(`${storeName}, ${narrowingName}`, { timeout: 120_000 }, async t => {
      const asked = await start(t, narrowing, store)
      for (const [wayName, way] of Object.entries({ ...reading, ...writing })) {
        await t.test(`S-91 P-24 ${wayName}`, async t => {
          // Seen to fail: createChangeStream without its view (both ways of a stream, removals, of hooks and scopes);
          // Guard without its RelatedRules (each relation route, by rules); has-many-through.ts asking the rows in
          // between alone (HEAD of a row that is out of sight); accessOnReplace false (PUT, and POST replace, by id)
          const isRefused = way.hasNone === true || (way.ofMany === true && narrowing.refusesLists === true)
          t.equal(await way.takes(asked, 'seen'), !isRefused, 'the row that the caller sees')
          t.equal(await way.takes(asked, 'gone'), false, 'the row that is out of sight')
        })
      }
    })
  }
}
