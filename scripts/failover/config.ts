/**
 * The configuration of a cluster that fails over: PostgreSQL under Patroni with etcd, HAProxy in
 * front of them, PgBouncer in front of that. `npm run failover` runs a cluster from these texts on
 * one machine; `npm run failover -- configure` writes them for several.
 */

export interface ClusterNode {
  name: string
  /** Address that the other nodes and HAProxy reach it by. */
  host: string
  postgresPort: number
  /** Patroni's own API, which HAProxy asks who leads. */
  restPort: number
  dataDir: string
  socketDir: string
}

export interface EtcdMember {
  name: string
  host: string
  clientPort: number
  peerPort: number
  dataDir: string
}

export interface Cluster {
  nodes: readonly ClusterNode[]
  etcd: readonly EtcdMember[]
  haproxy: { host: string; primaryPort: number; standbyPort: number }
  pgbouncer: { host: string; port: number; authFile: string; socketDir: string }
  /** The directory of initdb and postgres. */
  bin: string
  passwords: { superuser: string; replication: string; plaza: string }
  /** Addresses that may connect to PostgreSQL, as pg_hba.conf has them. */
  network: string
}

/** Seconds after which a primary that says nothing has lost its place. */
export const LEADER_TTL_S = 20

/** Arguments of `etcd`. */
export function etcdArguments(cluster: Cluster, member: EtcdMember): string[] {
  const client = `http://${member.host}:${member.clientPort}`
  const peer = `http://${member.host}:${member.peerPort}`
  const everyone = cluster.etcd.map((one) => `${one.name}=http://${one.host}:${one.peerPort}`)
  return [
    `--name=${member.name}`,
    `--data-dir=${member.dataDir}`,
    `--listen-client-urls=${client}`,
    `--advertise-client-urls=${client}`,
    `--listen-peer-urls=${peer}`,
    `--initial-advertise-peer-urls=${peer}`,
    `--initial-cluster=${everyone.join(',')}`,
    '--initial-cluster-state=new',
    '--initial-cluster-token=plaza',
    '--enable-v2=true',
  ]
}

/** `patroni.yml` of a node. */
export function patroniYaml(cluster: Cluster, node: ClusterNode): string {
  const { passwords, network } = cluster
  const etcd = cluster.etcd.map(({ host, clientPort }) => `${host}:${clientPort}`)
  return `scope: plaza
name: ${node.name}

restapi:
  listen: ${node.host}:${node.restPort}
  connect_address: ${node.host}:${node.restPort}

# Version 2 of etcd's interface: through version 3, Patroni before 3.0.3 takes the lead back unasked
# when it wakes up after a standby was promoted, and what was written meanwhile is lost.
etcd:
  hosts: [${etcd.join(', ')}]

bootstrap:
  # Read once, when the cluster is made; afterwards: patronictl edit-config.
  dcs:
    # A primary that says nothing for this long is replaced.
    ttl: ${LEADER_TTL_S}
    loop_wait: 3
    retry_timeout: 5
    # One whose PostgreSQL crashed is replaced at once, not started again.
    primary_start_timeout: 0
    # A commit is acknowledged when a standby has it on disk too, and only that standby is promoted.
    # Strict: without any standby nothing is acknowledged.
    synchronous_mode: true
    synchronous_mode_strict: true
    postgresql:
      use_pg_rewind: true
      use_slots: true
      parameters:
        max_connections: 100
        wal_log_hints: 'on'
        # How far a node may have fallen behind and still catch up without a new copy.
        wal_keep_size: 1GB
  initdb:
    - encoding: UTF8
    - locale: C.UTF-8
    - data-checksums

postgresql:
  listen: ${node.host}:${node.postgresPort}
  connect_address: ${node.host}:${node.postgresPort}
  data_dir: ${node.dataDir}
  bin_dir: ${cluster.bin}
  pgpass: ${node.dataDir}.pgpass
  authentication:
    superuser: {username: postgres, password: ${passwords.superuser}}
    replication: {username: replicator, password: ${passwords.replication}}
  parameters:
    unix_socket_directories: ${node.socketDir}
    password_encryption: scram-sha-256
  pg_hba:
    - local all postgres scram-sha-256
    - host all all ${network} scram-sha-256
    - host replication replicator ${network} scram-sha-256
`
}

/**
 * `haproxy.cfg`: one port leads to the primary, another to the standbys. Who is which, Patroni
 * says; connections to a node that is no longer what it was are cut at once.
 */
export function haproxyConfig({ haproxy, nodes }: Cluster): string {
  const servers = nodes.map(
    ({ name, host, postgresPort, restPort }) =>
      `  server ${name} ${host}:${postgresPort} check port ${restPort}`,
  )
  const checks = `  http-check expect status 200
  timeout check 1s
  default-server inter 1s fall 2 rise 1 on-marked-down shutdown-sessions
${servers.join('\n')}`
  return `global
  maxconn 1000

defaults
  mode tcp
  timeout connect 2s
  timeout client 1h
  timeout server 1h
  timeout queue 2s

listen primary
  bind ${haproxy.host}:${haproxy.primaryPort}
  option httpchk OPTIONS /primary
${checks}

listen standbys
  bind ${haproxy.host}:${haproxy.standbyPort}
  balance leastconn
  # One that is further behind is not asked.
  option httpchk OPTIONS /replica?lag=16MB
${checks}
`
}

/** `pgbouncer.ini`. */
export function pgbouncerConfig({ haproxy, pgbouncer }: Cluster): string {
  const { host, primaryPort, standbyPort } = haproxy
  return `[databases]
plaza = host=${host} port=${primaryPort} dbname=plaza
plaza_standby = host=${host} port=${standbyPort} dbname=plaza

[pgbouncer]
listen_addr = ${pgbouncer.host}
listen_port = ${pgbouncer.port}
unix_socket_dir = ${pgbouncer.socketDir}
auth_type = scram-sha-256
auth_file = ${pgbouncer.authFile}
pool_mode = transaction
max_client_conn = 1000
default_pool_size = 40
; Without a primary a statement fails after so many seconds, and the next one tries again at once.
query_wait_timeout = 4
server_connect_timeout = 3
server_login_retry = 1
server_lifetime = 600
`
}

/** PgBouncer's `auth_file`. */
export function pgbouncerUsers({ passwords }: Cluster): string {
  return `"plaza" "${passwords.plaza}"\n`
}

/** What a superuser runs once, connected to the primary. */
export function databaseSql({ passwords }: Cluster): string[] {
  return [
    `create role plaza login password '${passwords.plaza}'`,
    'create database plaza owner plaza',
    // PgBouncer keeps connections for others: limits belong to the role, not to the connection.
    `alter role plaza set statement_timeout = '15s'`,
    `alter role plaza set idle_in_transaction_session_timeout = '30s'`,
  ]
}

/** `DATABASE_URL`. */
export function databaseUrl({ pgbouncer, passwords }: Cluster): string {
  const { host, port } = pgbouncer
  return `postgres://plaza:${passwords.plaza}@${host}:${port}/plaza?pgbouncer=true`
}

/** `DATABASE_REPLICA_URL`: the standbys. */
export function replicaUrl(cluster: Cluster): string {
  return databaseUrl(cluster).replace('/plaza?', '/plaza_standby?')
}
