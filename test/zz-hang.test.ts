import {test} from 'node:test'; test('h',async()=>{ setInterval(()=>{},1000); await new Promise(()=>{})})
