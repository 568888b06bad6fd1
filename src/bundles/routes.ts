import type { CoreDeps } from '../http/declaration.ts'
import type { Api } from '../http/route.ts'
import { Contract, EXAMPLE } from './schema.ts'
import { WASM_CONTRACT } from './wasm-contract.ts'

export function registerBundles(api: Api<CoreDeps>): void {
  api.get('/api/wasm/contract', {
    id: 'getWasmContract',
    summary: 'Get the rules for WebAssembly games',
    description:
      '`POST /uploads` rejects modules that break the contract. `docs/wasm-games.md` explains how to write a module.',
    tag: 'Games',
    auth: 'public',
    data: Contract,
    example: EXAMPLE,
    handler: () => ({ ...WASM_CONTRACT, allowed_imports: [...WASM_CONTRACT.allowed_imports] }),
  })
}
