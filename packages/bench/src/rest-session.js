import { makeData } from './data.js'

// What LoopBack and Fastback have in common over HTTP: logging in, and taking many rows in one post.

const USER = { email: 'bench@example.com', password: 'benchmark-0' }
const ROWS_PER_POST = 150

async function post (url, body, token) {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(token ? { authorization: token } : {}) },
    body: JSON.stringify(body)
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`POST ${new URL(url).pathname} answered ${response.status}: ${text.slice(0, 300)}`)
  return JSON.parse(text)
}

/** Makes a user and logs in. */
export async function logIn (url) {
  await post(`${url}/api/Users`, USER)
  return (await post(`${url}/api/Users/login`, USER)).id
}

/** Fills a server that keeps its data in memory; the ids it gives are the ones of the data set, since they count up. */
export async function fillByPost (url, token) {
  const data = makeData()
  const targets = { Categories: data.Category, Products: data.Product, Guarded: data.Product, Reviews: data.Review }
  for (const [path, rows] of Object.entries(targets)) {
    for (let from = 0; from < rows.length; from += ROWS_PER_POST) {
      const batch = rows.slice(from, from + ROWS_PER_POST).map(({ id, ...row }) => row)
      await post(`${url}/api/${path}`, batch, token)
    }
  }
}
