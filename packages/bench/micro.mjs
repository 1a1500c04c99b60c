import { Pool } from 'undici'
import { ServiceClient } from '../service-client/dist/index.js'
import { ModelRegistry } from '@fastback/core'
import { restConnector } from '@fastback/connector-rest'
const base='http://127.0.0.1:45901'
const pool=new Pool(base,{connections:50})
const registry=new ModelRegistry()
const ds=registry.defineDataSource('s',{connector:restConnector,operations:[{template:{method:'GET',url:base+'/stations/{id}'},functions:{byId:['id']}}]})
await registry.start()
const client=new ServiceClient({}, {dataSource:'x',log:{debug(){}}})
const kinds={
  undici: async i=>{const {statusCode,body}=await pool.request({method:'GET',path:'/stations/'+i,headers:{accept:'application/json'},headersTimeout:30000,bodyTimeout:30000}); return body.json()},
  client: async i=>JSON.parse((await client.request({name:'a',method:'GET',url:base+'/stations/'+i,headers:{accept:'application/json'}})).body.toString()),
  connector: i=>ds.byId(i)
}
const run=async(f,n)=>{let i=0;const c0=process.cpuUsage();await Promise.all(Array.from({length:10},async()=>{while(i++<n) await f(i)}));const c=process.cpuUsage(c0);return (c.user+c.system)/n}
for(const f of Object.values(kinds)) await run(f,8000)
for(let r=0;r<4;r++) console.log(Object.entries(await Object.entries(kinds).reduce(async(p,[k,f])=>({...await p,[k]:(await run(f,8000)).toFixed(1)}),{})).join('  '))
process.exit()
