import type { PlazaApi } from '../deps.ts'
import { Contract, EXAMPLE } from './schema.ts'
import { WASM_CONTRACT } from './wasm-contract.ts'

export function registerBundles(api: PlazaApi): void {
  api.get('/api/wasm/contract', {
    id: 'getWasmContract',
    summary: 'Tell what WebAssembly games may be and may import',
    description:
      'A module that does not keep to it is refused by `POST /uploads`. `docs/wasm-games.md` tells how to write one.',
    tag: 'Games',
    auth: 'public',
    data: Contract,
    example: EXAMPLE,
    handler: () => ({ ...WASM_CONTRACT, allowed_imports: [...WASM_CONTRACT.allowed_imports] }),
  })
}
