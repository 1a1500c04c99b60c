import { readFileSync, writeFileSync } from 'node:fs'

/** The loads of the table, with the words that a reader has for them, and its servers. */
const ROWS = [
  ['w1', 'read by id'],
  ['w7', 'read by id, with token and rule'],
  ['w2', 'list of 20, filtered and ordered'],
  ['w3', 'list of 100'],
  ['w4', '20 rows with two relations'],
  ['w5', 'create']
]
const COLUMNS = [
  ['hand-written', 'Fastify by hand'],
  ['fastback', 'Fastback'],
  ['feathers', 'Feathers 5'],
  ['loopback3', 'LoopBack 3'],
  ['loopback4', 'LoopBack 4']
]
const MARKED = /(?<=<!-- bench -->\n\n)[\s\S]*?(?=\n\n<!-- \/bench -->)/

/**
 * The short table of README.md: for each load how many requests a server answers in the processor time in which the
 * hand-written one answers one. More is better. What was not measured is a dash.
 * @param {ReturnType<typeof import('./summary.js').summarise>} summary whose reference is the hand-written server
 * @param {{ date: string, node: string, store: string }} about
 */
export function frontTable (summary, { date, node, store }) {
  const cell = (load, server) => {
    const ratio = summary.find(entry => entry.load === load && entry.server === server)?.ratio
    return Number.isFinite(ratio) ? ratio.toFixed(2) : '–'
  }
  const line = cells => `| ${cells.join(' | ')} |`.replace('|  |', '| |')
  return [
    `Measured on ${date}, ${store}, Node.js ${node}:`,
    '',
    line(['', ...COLUMNS.map(([, title]) => title)]),
    line(['', ...COLUMNS].map(() => '---')).replaceAll(' ', ''),
    ...ROWS.map(([load, title]) => line([title, ...COLUMNS.map(([server]) => cell(load, server))]))
  ].join('\n')
}

/**
 * Puts a table between the marks of a document.
 * @throws when the file has no `<!-- bench -->`
 */
export function writeFrontTable (file, table) {
  const text = readFileSync(file, 'utf8')
  if (!MARKED.test(text)) throw new Error(`${file} has no marks <!-- bench --> and <!-- /bench -->`)
  writeFileSync(file, text.replace(MARKED, () => table))
}
