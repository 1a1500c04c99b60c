import t from 'tap'
import { agentFamily } from './user-agent.js'

const mozilla = 'Mozilla/5.0 (X11; Linux x86_64)'
const chrome = `${mozilla} AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36`

t.test('OI-115: the family of a browser, of a short list', async t => {
  t.equal(agentFamily(`${mozilla} Gecko/20100101 Firefox/140.0`), 'Firefox')
  t.equal(agentFamily(chrome), 'Chrome')
  t.equal(agentFamily(`${chrome} Edg/140.0.0.0`), 'Edge')
  t.equal(agentFamily(`${chrome} OPR/120.0.0.0`), 'Opera')
  t.equal(agentFamily('Mozilla/5.0 (iPhone) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/140.0 Safari/604.1'), 'Chrome')
  t.equal(agentFamily('Mozilla/5.0 (Macintosh) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Safari/605.1'), 'Safari')
})

t.test('nothing of a header that is not known is stored', async t => {
  for (const header of [undefined, '', 'curl/8.0', '<script>Firefox</script>', `${'x'.repeat(5000)} Firefox/1`]) {
    t.equal(agentFamily(header), undefined)
  }
})
