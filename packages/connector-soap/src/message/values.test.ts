/** Objects as elements and back, by the schema (service-connectors.md, SO-X2 to SO-X6). */
import fc from 'fast-check'
import t from 'tap'
import { SchemaSet } from '../schema/schema-set.js'
import { SchemaTypes } from '../schema/schema-types.js'
import { describeMessage } from '../schema/json-schema.js'
import { readXmlNow } from '../xml/read-xml.js'
import { ValueReader } from './read-value.js'
import { ValueWriter } from './write-value.js'
import { XmlWriter } from './xml-writer.js'
import type { ElementUse } from '../schema/types.js'

const schema = (content: string, form = 'qualified'): SchemaTypes => {
  const schemas = new SchemaSet()
  schemas.add(readXmlNow(`<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns="urn:a" targetNamespace="urn:a"
    elementFormDefault="${form}">${content}</xs:schema>`))
  return new SchemaTypes(schemas)
}

const element = (types: SchemaTypes, name = 'E'): ElementUse => types.element({ uri: 'urn:a', name }) as ElementUse

const write = (types: SchemaTypes, value: unknown): string => {
  const xml = new XmlWriter()
  return xml.outermost(new ValueWriter(xml, types).element(element(types), value, 'E'))
}

const read = (types: SchemaTypes, xml: string, longsAreText = false): unknown =>
  new ValueReader({ longsAreText }, types).read(readXmlNow(xml), element(types).type)

const sequence = (content: string): string => `<xs:element name="E"><xs:complexType><xs:sequence>${content}</xs:sequence></xs:complexType></xs:element>`
const of = (type: string, more = ''): SchemaTypes => schema(sequence(`<xs:element name="v" type="xs:${type}" ${more}/>`))
const ns = 'xmlns:ns1="urn:a"'

t.test('SO-X2: the order of the schema, nothing unknown, nothing that is missing', async t => {
  const types = schema(`${sequence('<xs:element name="b" type="xs:string"/><xs:element name="a" type="xs:int"/>')}`)
  t.equal(write(types, { a: 1, c: 3, b: 'x' }), `<ns1:E ${ns}><ns1:b>x</ns1:b><ns1:a>1</ns1:a></ns1:E>`)
  t.equal(write(types, { a: 1, b: undefined }), `<ns1:E ${ns}><ns1:a>1</ns1:a></ns1:E>`)
  t.equal(write(types, {}), `<ns1:E ${ns}/>`)
  t.equal(write(types, { toJSON: () => ({ a: 2 }) }), `<ns1:E ${ns}><ns1:a>2</ns1:a></ns1:E>`)
  t.equal(write(types, Object.create({ a: 1 })), `<ns1:E ${ns}/>`, 'nothing inherited')
})

t.test('SO-X2: attributes, text beside them, ready XML', async t => {
  const types = schema(`<xs:element name="E"><xs:complexType><xs:simpleContent><xs:extension base="xs:decimal">
    <xs:attribute name="unit" type="xs:string"/></xs:extension></xs:simpleContent></xs:complexType></xs:element>`)
  const value = { $attributes: { unit: 'a"b' }, $value: 1.5 }
  t.equal(write(types, value), `<ns1:E unit="a&quot;b" ${ns}>1.5</ns1:E>`.replace(/^<ns1:E (.*) (xmlns.*?")>/, '<ns1:E $2 $1>'))
  t.strictSame(read(types, write(types, value)), value)
  t.equal(read(types, '<E xmlns="urn:a">2</E>'), 2)
  t.equal(write(types, 3), `<ns1:E ${ns}>3</ns1:E>`)
  t.equal(write(types, { $attributes: { other: 'x' }, $value: 1 }), `<ns1:E ${ns}>1</ns1:E>`, 'only those of the schema')
  t.equal(write(types, { $xml: '<raw/>' }), `<ns1:E ${ns}><raw/></ns1:E>`)
})

t.test('SO-X3: types of elements', async t => {
  const value = (type: string, text: string): unknown =>
    (read(of(type), `<E xmlns="urn:a"><v>${text}</v></E>`) as { v: unknown }).v
  t.equal(value('decimal', ' 12.50 '), 12.5)
  t.equal(value('double', 'INF'), Infinity)
  t.equal(value('int', 'many'), 'many', 'what is no number stays text')
  t.equal(value('boolean', '1'), true)
  t.equal(value('boolean', 'false'), false)
  t.strictSame(value('dateTime', '2024-02-03T04:05:06+02:00'), new Date('2024-02-03T02:05:06Z'))
  t.strictSame(value('dateTime', '2024-02-03T04:05:06'), new Date('2024-02-03T04:05:06Z'), 'UTC without an offset')
  t.strictSame(value('date', '2024-02-03+02:00'), new Date('2024-02-03T00:00:00Z'))
  t.equal(value('string', ''), '')
  t.strictSame(read(of('string', 'nillable="true"'), '<E xmlns="urn:a"><v xsi:nil="true" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"/></E>'), { v: null })
})

t.test('SO-X3: lists are lists, also of one, and in groups that repeat', async t => {
  t.strictSame(read(of('int', 'maxOccurs="5"'), '<E xmlns="urn:a"><v>1</v></E>'), { v: [1] })
  const group = schema(`<xs:element name="E"><xs:complexType><xs:choice maxOccurs="unbounded">
    <xs:element name="a" type="xs:int"/><xs:element name="b" type="xs:int"/></xs:choice></xs:complexType></xs:element>`)
  t.strictSame(read(group, '<E xmlns="urn:a"><a>1</a><b>2</b><a>3</a></E>'), { a: [1, 3], b: [2] })
  t.equal(write(of('int', 'maxOccurs="5"'), { v: 7 }), `<ns1:E ${ns}><ns1:v>7</ns1:v></ns1:E>`)
})

t.test('SO-X4: whole numbers beyond 2^53 as text, when it is wanted', async t => {
  const xml = '<E xmlns="urn:a"><v>9007199254740993</v></E>'
  t.strictSame(read(of('long'), xml, true), { v: '9007199254740993' })
  t.strictSame(read(of('int'), xml.replace('9007199254740993', '3'), true), { v: 3 })
  t.equal(write(of('long'), { v: 9007199254740993n }), `<ns1:E ${ns}><ns1:v>9007199254740993</ns1:v></ns1:E>`)
})

t.test('SO-X6: texts go as they are, dates in UTC', async t => {
  const v = (type: string, value: unknown): string => /v>(.*)<\/ns1:v/.exec(write(of(type), { v: value }))?.[1] ?? ''
  t.equal(v('date', '2024-05-06'), '2024-05-06')
  t.equal(v('date', new Date('2024-05-06T23:00:00Z')), '2024-05-06')
  t.equal(v('dateTime', new Date(0)), '1970-01-01T00:00:00.000Z')
  t.equal(v('time', new Date(0)), '00:00:00.000Z')
  t.equal(v('base64Binary', Buffer.from('hi')), 'aGk=')
  t.equal(v('double', -Infinity), '-INF')
  t.equal(v('NMTOKENS', ['a', 'b']), 'a b')
})

t.test('types that are derived, referred to, substituted, recursive', async t => {
  const types = schema(`${sequence('<xs:element name="node" type="Node" minOccurs="0"/><xs:element ref="head" minOccurs="0"/>')}
    <xs:complexType name="Base"><xs:sequence><xs:element name="id" type="xs:int"/></xs:sequence><xs:attribute name="k" type="xs:int"/></xs:complexType>
    <xs:complexType name="Node"><xs:complexContent><xs:extension base="Base"><xs:sequence>
      <xs:group ref="more"/><xs:element name="node" type="Node" minOccurs="0" maxOccurs="unbounded"/>
    </xs:sequence></xs:extension></xs:complexContent></xs:complexType>
    <xs:complexType name="Sub"><xs:complexContent><xs:extension base="Node"><xs:sequence><xs:element name="own" type="xs:boolean"/></xs:sequence></xs:extension></xs:complexContent></xs:complexType>
    <xs:group name="more"><xs:sequence><xs:element name="size" type="Size" minOccurs="0"/></xs:sequence></xs:group>
    <xs:simpleType name="Size"><xs:restriction base="xs:int"/></xs:simpleType>
    <xs:element name="head" type="Base"/><xs:element name="other" type="Node" substitutionGroup="head"/>`)
  const value = { node: { id: 1, size: 2, node: [{ id: 3, $attributes: { $xsiType: { type: 'Sub', xmlns: 'urn:a' } }, own: true }] }, other: { id: 4 } }
  t.strictSame(read(types, write(types, value)), value)
  t.match(write(types, value), /^<ns1:E [^>]*><ns1:node><ns1:id>1<\/ns1:id><ns1:size>2/, 'inherited elements come first')
  t.throws(() => write(types, { node: { $attributes: { $xsiType: { type: 'None', xmlns: 'urn:a' } } } }), { code: 'INVALID_SOAP_INPUT' })
  const { properties } = describeMessage({ wrapper: undefined, parts: [element(types)] }, 'out', false) as { properties: Record<string, unknown> }
  t.strictSame(Object.keys(properties), ['node', 'head', 'other'], 'a type that holds itself is described, too')
})

t.test('unqualified elements stand in no namespace', async t => {
  const types = schema(sequence('<xs:element name="v" type="xs:string"/>'), 'unqualified')
  t.equal(write(types, { v: 'x' }), `<ns1:E ${ns}><v>x</v></ns1:E>`)
})

t.test('SO-X3: null is nil where the schema knows it, and left out elsewhere', async t => {
  t.match(write(of('string', 'nillable="true"'), { v: null }), /<ns\d:v xsi:nil="true"\/>/)
  t.equal(write(of('string'), { v: null }), `<ns1:E ${ns}/>`)
})

t.test('what cannot be written is a 400 that names its place', async t => {
  const refused = (types: SchemaTypes, value: unknown, message: RegExp): void => {
    t.throws(() => write(types, value), { statusCode: 400, code: 'INVALID_SOAP_INPUT', message })
  }
  refused(of('string'), { v: { a: 1 } }, /"E\.v".*single value/)
  refused(of('string'), { v: 'a\u0000b' }, /"E\.v".*character/)
  refused(of('date'), { v: new Date('no') }, /date/)
  refused(of('string'), { v: { $xml: 1 } }, /\$xml/)
  refused(of('anyType'), { v: { 'a><b': 1 } }, /name/)
  const circle: Record<string, unknown> = {}
  circle.a = circle
  refused(of('anyType'), { v: circle }, /deeper/)
})

t.test('SC-S6: no text of a caller becomes markup, whatever its keys and values are', async t => {
  const types = schema(`${sequence('<xs:element name="a" type="xs:string" minOccurs="0"/><xs:element name="any" minOccurs="0"/>')}`)
  const shape = (xml: string): string => JSON.stringify(new ValueReader({ longsAreText: true }).read(readXmlNow(xml)))
  fc.assert(fc.property(fc.dictionary(fc.string(), fc.string()), fc.string({ unit: 'binary' }), (any, a) => {
    try {
      const xml = write(types, { a, any })
      return JSON.parse(shape(xml)) !== null && readXmlNow(xml).children.every(({ name }) => name === 'a' || name === 'any')
    } catch (error) {
      return (error as { code?: string }).code === 'INVALID_SOAP_INPUT'
    }
  }), { numRuns: 2000 })
})

t.test('answers change no object of this process', async t => {
  const value = new ValueReader({ longsAreText: false }).read(readXmlNow('<a __proto__="1"><__proto__><polluted>1</polluted></__proto__><b>1</b></a>'))
  t.strictSame(value, { b: '1' })
  t.notOk('polluted' in {})
})
