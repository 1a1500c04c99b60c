/** XML of others: what is read, and what is refused (service-connectors.md, SC-S9, SO-F8). */
import fc from 'fast-check'
import t, { type Test } from 'tap'
import { decodeXml } from './decode.js'
import { readXml, readXmlNow, XmlError } from './read-xml.js'
import { escapeAttribute, escapeText } from './text.js'

const refused = async (t: Test, document: string, message: RegExp): Promise<void> => {
  await t.rejects(readXml(document), message)
  t.ok(await readXml(document).catch((error: unknown) => error) instanceof XmlError)
  t.throws(() => readXmlNow(document), message)
}

t.test('elements with their namespaces, texts and attributes', async t => {
  const root = await readXml('\uFEFF<?xml version="1.0"?><a xmlns="urn:a" xmlns:b="urn:b" b:x="1" y="2">t<b:c>&lt;&#65;</b:c><![CDATA[<u>]]></a>')
  t.match(root, { name: 'a', uri: 'urn:a', text: 't<u>', scope: { '': 'urn:a', b: 'urn:b' } })
  t.strictSame(root.attributes, [{ name: 'x', uri: 'urn:b', value: '1' }, { name: 'y', uri: '', value: '2' }])
  t.match(root.children, [{ name: 'c', uri: 'urn:b', text: '<A' }])
})

t.test('SC-S9: document types, entities and what is no XML are refused', async t => {
  const bomb = '<!DOCTYPE l [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;">]><l>&b;</l>'
  await refused(t, bomb, /document type/)
  await refused(t, '<!DOCTYPE x SYSTEM "file:///etc/passwd"><x/>', /document type/)
  await refused(t, '<a>&other;</a>', /entity/)
  await refused(t, '<a><b></a>', /tag/)
  await refused(t, '<a>', /unclosed|close/)
  await refused(t, '', /element/)
  await refused(t, '<a/><b/>', /root|text/)
  t.match(await readXml('<p:a xsi:nil="1"/>'), { name: 'a', uri: 'unbound:p', attributes: [{ uri: /XMLSchema-instance/ }] }, 'prefixes of nobody')
})

t.test('SC-S9: depth and nodes are bounded, and messages do not repeat the document', async t => {
  await refused(t, '<secret>'.repeat(101) + '</secret>'.repeat(101), /^(?!.*secret).*deeper than 100/)
  t.ok(await readXml('<a>'.repeat(100) + '</a>'.repeat(100)))
  await t.rejects(readXml(`<a>${'<b/>'.repeat(1_000_000)}</a>`), /more than 1000000 nodes/)
})

t.test('a large document leaves others their turn', async t => {
  let turns = 0
  const count = setInterval(() => { turns++ }, 1)
  await readXml(`<a>${'<b c="1">text</b>'.repeat(100_000)}</a>`)
  clearInterval(count)
  t.ok(turns > 5, `${String(turns)} turns`)
})

t.test('encodings: by mark, media type, first line', async t => {
  t.equal(decodeXml(Buffer.from('<a>é</a>')), '<a>é</a>')
  t.equal(decodeXml(Buffer.from('<a>é</a>', 'latin1'), 'text/xml; charset="iso-8859-1"'), '<a>é</a>')
  t.match(decodeXml(Buffer.from('<?xml version="1.0" encoding="ISO-8859-1"?><a>é</a>', 'latin1')), /é/)
  t.equal(decodeXml(Buffer.from('\uFEFF<a>é</a>', 'utf16le')), '<a>é</a>')
  t.throws(() => decodeXml(Buffer.from('<a/>'), 'text/xml; charset=nonsense'), /encoding/)
})

t.test('whatever is written is read again, or refused (SC-S6)', async t => {
  fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 60 }), text => {
    let written: string
    try {
      written = `<a b="${escapeAttribute(text)}">${escapeText(text)}</a>`
    } catch (error) {
      return error instanceof XmlError
    }
    const read = readXmlNow(written)
    return read.text === text && read.attributes[0]?.value === text && read.children.length === 0
  }), { numRuns: 2000 })
})
