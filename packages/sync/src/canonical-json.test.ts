import t from 'tap'
import { canonicalJson } from './canonical-json.js'
import { changeId, hashOf } from './revision.js'

t.test('SY-21: the text of a row is the same on both sides', async t => {
  const row = JSON.parse('{"title":"first","id":"n1","text":null,"rank":null,"done":false}') as object
  t.equal(canonicalJson(row), '{"done":false,"id":"n1","rank":null,"text":null,"title":"first"}')
  t.equal(hashOf(canonicalJson(row)), '5e8451580a89363e34dfa3edd3182aa33506956d')
  t.equal(canonicalJson({ b: [1, { z: 1, a: 'é' }], a: 1e21 }), '{"a":1e+21,"b":[1,{"a":"é","z":1}]}')
  t.equal(canonicalJson('"\\/\b\u0000\u007f\u00ad\u2028\u200b\ufeff\ufff0'), '"\\"\\\\/\\b\\u0000\\u007f\\u00ad\\u2028\u200b\\ufeff\\ufff0"')
})

t.test('SY-20: the id of a change', async t => {
  t.equal(changeId('Note', 'n1'), '116adb5a182268b1ddbe0e22226f0e10f092040d')
})
