import t from 'tap'
import { BufferedLog } from './buffered-log.js'

t.test('a copy with a function of its own has the others, and lines wait for the first log', t => {
  const held = new BufferedLog()
  const warned: string[] = []
  const copy = { ...held, warn: (_: object, line: string) => { warned.push(line) } }
  copy.warn({}, 'its own')
  copy.info({}, 'waits')
  held.warn({}, 'waits, too')
  copy.debug({}, 'is lost')
  const lines: string[] = []
  const tell = (_: object, line: string): void => { lines.push(line) }
  held.handOnTo({ warn: tell, info: tell, debug: tell })
  copy.debug({}, 'is told')
  t.strictSame(warned, ['its own'])
  t.strictSame(lines, ['waits', 'waits, too', 'is told'])
  t.end()
})
