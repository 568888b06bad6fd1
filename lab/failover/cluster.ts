import type { ChildProcess } from 'node:child_process'
import { chmodSync, chownSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { findPostgres, freePort, unprivilegedUser } from '../../scripts/postgres.ts'
import { until } from '../harness/harness.ts'
import {
  type Cluster,
  type ClusterNode,
  databaseSql,
  etcdArguments,
  haproxyConfig,
  newPasswords,
  patroniYaml,
  pgbouncerConfig,
  pgbouncerUsers,
} from './config.ts'
import { findPrograms, keep, type Owner, postgresProcesses, signal, start } from './programs.ts'

const HOST = '127.0.0.1'
const NODES = ['node1', 'node2', 'node3']

export const FAILURES = {
  'node killed': 'PostgreSQL and Patroni are killed; Patroni is started again later',
  'server killed': 'PostgreSQL is killed while Patroni runs',
  'manager hangs': 'PostgreSQL is killed while Patroni is suspended; Patroni is resumed later',
  'node hangs': 'PostgreSQL and Patroni are suspended and resumed later',
}
export type Failure = keyof typeof FAILURES

export interface RunningCluster {
  config: Cluster
  directory: string
  findPrimary(): Promise<ClusterNode | undefined>
  fail(node: ClusterNode, failure: Failure): () => void
  isWhole(primary: ClusterNode): Promise<boolean>
  stop(): Promise<void>
}

/**
 * Starts a cluster with an empty database `plaza` in a new directory. Throws when a program is missing or
 * the cluster does not start.
 */
export async function startCluster(): Promise<RunningCluster> {
  const programs = findPrograms()
  const postgres = findPostgres()
  if (!postgres) throw new Error('PostgreSQL not found; run: apt-get install postgresql')
  const owner = unprivilegedUser()
  const directory = mkdtempSync('/tmp/plaza-cluster-')
  const stop = keep(directory)
  try {
    const config = await layOut(directory, postgres.bin)
    if (owner) chownSync(directory, owner.uid, owner.gid)
    const write = (name: string, text: string) => writeOwned(join(directory, name), text, owner)
    write('haproxy.cfg', haproxyConfig(config))
    write('pgbouncer.ini', pgbouncerConfig(config))
    write('users.txt', pgbouncerUsers(config))
    for (const member of config.etcd) {
      start(directory, member.name, [programs.etcd, ...etcdArguments(config, member)], owner)
    }
    const managers = new Map<string, ChildProcess>()
    const manage = (node: ClusterNode) => {
      const yaml = join(directory, `${node.name}.yml`)
      managers.set(node.name, start(directory, node.name, [programs.patroni, yaml], owner))
    }
    for (const node of config.nodes) {
      write(`${node.name}.yml`, patroniYaml(config, node))
      manage(node)
    }
    start(directory, 'haproxy', [programs.haproxy, '-f', join(directory, 'haproxy.cfg')], owner)
    start(directory, 'pgbouncer', [programs.pgbouncer, join(directory, 'pgbouncer.ini')], owner)
    const cluster = {
      config,
      directory,
      findPrimary: () => findPrimary(config),
      isWhole: (primary: ClusterNode) => isWhole(config, primary),
      fail: (node: ClusterNode, failure: Failure) =>
        fail(node, failure, managers.get(node.name) as ChildProcess, () => manage(node)),
      stop,
    }
    await makeDatabase(cluster)
    return cluster
  } catch (error) {
    await stop()
    throw error
  }
}

async function layOut(directory: string, bin: string): Promise<Cluster> {
  const ports = new Set<number>()
  const port = async (): Promise<number> => {
    const free = await freePort()
    return ports.has(free) ? port() : (ports.add(free), free)
  }
  const nodes: ClusterNode[] = []
  for (const name of NODES) {
    nodes.push({
      name,
      host: HOST,
      postgresPort: await port(),
      restPort: await port(),
      dataDir: join(directory, name),
      socketDir: directory,
    })
  }
  return {
    nodes,
    etcd: [
      {
        name: 'etcd1',
        host: HOST,
        clientPort: await port(),
        peerPort: await port(),
        dataDir: join(directory, 'etcd1'),
      },
    ],
    haproxy: { host: HOST, primaryPort: await port(), standbyPort: await port() },
    pgbouncer: {
      host: HOST,
      port: await port(),
      authFile: join(directory, 'users.txt'),
      socketDir: directory,
    },
    bin,
    passwords: newPasswords(),
    network: `${HOST}/32`,
  }
}

function writeOwned(path: string, text: string, owner: Owner | undefined): void {
  writeFileSync(path, text)
  chmodSync(path, 0o600)
  if (owner) chownSync(path, owner.uid, owner.gid)
}

async function makeDatabase(cluster: Omit<RunningCluster, 'stop'>): Promise<void> {
  const primary = await until(
    async () => {
      const node = await cluster.findPrimary()
      return node && (await cluster.isWhole(node)) && node
    },
    180_000,
    'the cluster did not start',
  )
  for (const statement of databaseSql(cluster.config)) {
    await asSuperuser(cluster.config, primary, (client) => client.query(statement))
  }
  mkdirSync(join(cluster.directory, 'plaza'))
}

async function findPrimary(config: Cluster): Promise<ClusterNode | undefined> {
  const leads = await Promise.all(
    config.nodes.map(({ host, restPort }) =>
      fetch(`http://${host}:${restPort}/primary`, {
        method: 'OPTIONS',
        signal: AbortSignal.timeout(1000),
      }).then(
        ({ status }) => status === 200,
        () => false,
      ),
    ),
  )
  return config.nodes[leads.indexOf(true)]
}

/**
 * Returns true when all other nodes replicate from `primary`, and Patroni has chosen a synchronous standby.
 * `synchronous_standby_names = *` means that Patroni has not chosen one.
 */
async function isWhole(config: Cluster, primary: ClusterNode): Promise<boolean> {
  const text = `select application_name as name, sync_state in ('sync', 'quorum') as is_synchronous
    from pg_stat_replication
    where state = 'streaming' and current_setting('synchronous_standby_names') <> '*'`
  return asSuperuser(config, primary, async (client) => {
    const { rows } = await client.query<{ name: string; is_synchronous: boolean }>(text)
    const following = rows.filter(({ name }) => config.nodes.some((node) => node.name === name))
    const isSafe = following.some((row) => row.is_synchronous)
    return isSafe && following.length === config.nodes.length - 1
  }).catch(() => false)
}

export async function asSuperuser<T>(
  { passwords }: Cluster,
  { host, postgresPort }: ClusterNode,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({
    connectionString: `postgres://postgres:${passwords.superuser}@${host}:${postgresPort}/postgres`,
    connectionTimeoutMillis: 2000,
    query_timeout: 30_000,
  })
  client.on('error', () => {})
  try {
    await client.connect()
    return await work(client)
  } finally {
    client.end().catch(() => {})
  }
}

function fail(
  node: ClusterNode,
  failure: Failure,
  manager: ChildProcess,
  restart: () => void,
): () => void {
  const servers = postgresProcesses(node.dataDir)
  const managers = [manager.pid as number]
  if (failure === 'node hangs') {
    signal([...managers, ...servers], 'SIGSTOP')
    return () => signal([...servers, ...managers], 'SIGCONT')
  }
  if (failure === 'manager hangs') signal(managers, 'SIGSTOP')
  if (failure === 'node killed') signal(managers, 'SIGKILL')
  signal(servers, 'SIGKILL')
  if (failure === 'manager hangs') return () => signal(managers, 'SIGCONT')
  return failure === 'node killed' ? restart : () => {}
}
