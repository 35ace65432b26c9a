#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# labels: once
# heddle info --links on the files of /proc, /sys and /boot that a test writes: nodes with and without
# direct paths between storage, network and device memory.
. "$(dirname "$0")/../check.sh"
cd "$scratch" || exit 1
find_python || { echo "no python3"; exit 77; }

# file PATH TEXT: a file of the imitated machine.
file()
{
    mkdir -p "$HEDDLE_LINKS_ROOT/$(dirname "$1")" && echo "$2" >"$HEDDLE_LINKS_ROOT/$1"
}

# machine NAME: begins another one.
machine()
{
    export HEDDLE_LINKS_ROOT="$scratch/$1"
    mkdir -p "$HEDDLE_LINKS_ROOT"
}

# get EXPRESSION: of the object o that the last run printed.
get()
{
    "$python" -c 'import json, sys; o = json.load(sys.stdin); print('"$1"')' <out 2>&1
}

# port DEVICE PORT PCI NODE LAYER STATE RATE: of a network card.
port()
{
    folder=sys/class/infiniband/$1
    file sys/devices/$3/numa_node "$4"
    mkdir -p "$HEDDLE_LINKS_ROOT/$folder"
    [ -h "$HEDDLE_LINKS_ROOT/$folder/device" ] ||
        ln -s ../../../devices/$3 "$HEDDLE_LINKS_ROOT/$folder/device"
    file $folder/ports/$2/link_layer "$5"
    file $folder/ports/$2/state "$6"
    file $folder/ports/$2/rate "$7"
}

# A machine that shows nothing: what cannot be read is unknown, not absent.
machine bare
run info --links --json
equal "bare: exit status ($err)" "$status" 0
equal "bare: keys" "$(get '" ".join(o)')" \
    "$heading kernel iommu pci_p2pdma modules ports drives verified"
equal "bare: unknown" "$(get '[o[k] for k in ("kernel", "iommu", "pci_p2pdma", "ports", "drives")]')" \
    "[None, None, None, [], []]"
equal "bare: modules" "$(get 'sorted({m["loaded"] for m in o["modules"]}, key=str)')" "[None]"
run info --links
equal "bare: text ($err)" "$status $(echo "$out" | sed -n 's/^kernel  *//p')" "0 -"

# An NVIDIA node with everything: 10 devices are listed in the order of their numbers.
machine nvidia
file proc/sys/kernel/osrelease 6.8.0-45-generic
file boot/config-6.8.0-45-generic "# CONFIG_PCI_P2PDMA_OTHER is not set
CONFIG_PCI_P2PDMA=y"
file proc/modules "nvidia_peermem 16384 0 - Live 0x0000000000000000 (OE)
nvidia 9752576 25 nvidia_uvm,nvidia_fs,nvidia_peermem, Live 0x0000000000000000 (POE)"
file sys/module/nvidia/version 560.35.03
file sys/module/nvidia_peermem/version 560.35.03
file proc/driver/nvidia-fs/version "version: 2.24 (Beta)"
file sys/module/nvidia_fs/version 2.24.3
file sys/module/ib_uverbs/initstate live
for group in 0 1; do
    file sys/kernel/iommu_groups/$group/type identity
done
port mlx5_10 1 0000:9f:00.0 1 Ethernet "1: DOWN" "40 Gb/sec (4X QDR)"
port mlx5_2 1 0000:18:00.0 0 InfiniBand "4: ACTIVE" "400 Gb/sec (4X NDR)"
port mlx5_2 2 0000:18:00.0 0 InfiniBand "2: INIT" "400 Gb/sec (4X NDR)"
file sys/class/nvme/nvme0/transport pcie
file sys/class/nvme/nvme0/address 0000:5e:00.0
file sys/class/nvme/nvme0/numa_node 0
file sys/class/nvme/nvme0/model "A fast drive    "
file sys/class/nvme/nvme1/transport rdma
file sys/class/nvme/nvme1/address traddr=10.0.0.1,trsvcid=4420
run info --links --json
equal "nvidia: exit status ($err)" "$status" 0
equal "nvidia: kernel" "$(get '[o[k] for k in ("kernel", "iommu", "pci_p2pdma", "device")]')" \
    "['6.8.0-45-generic', 'passthrough', True, None]"
equal "nvidia: modules" "$(get '{m["name"]: m["version"] for m in o["modules"] if m["loaded"]}')" \
    "{'nvidia': '560.35.03', 'nvidia_fs': '2.24.3', 'nvidia_peermem': '560.35.03', 'ib_uverbs': None}"
equal "nvidia: absent" "$(get '[m["name"] for m in o["modules"] if m["loaded"] is False]')" \
    "['nv_peer_mem', 'gdrdrv', 'amdgpu', 'amdkfd']"
equal "nvidia: ports" "$(get '[tuple(p.values()) for p in o["ports"]]')" \
    "[('mlx5_2', 1, 'InfiniBand', 'ACTIVE', '400 Gb/sec (4X NDR)', '0000:18:00.0', 0), \
('mlx5_2', 2, 'InfiniBand', 'INIT', '400 Gb/sec (4X NDR)', '0000:18:00.0', 0), \
('mlx5_10', 1, 'Ethernet', 'DOWN', '40 Gb/sec (4X QDR)', '0000:9f:00.0', 1)]"
equal "nvidia: drives" "$(get '[tuple(p.values()) for p in o["drives"]]')" \
    "[('nvme0', 'pcie', '0000:5e:00.0', 0, 'A fast drive'), \
('nvme1', 'rdma', 'traddr=10.0.0.1,trsvcid=4420', None, None)]"
run info --links
equal "nvidia: text" "$(echo "$out" | grep -c -e '^nvidia_fs  *yes  *2.24.3  *.*storage' \
    -e '^nv_peer_mem  *no  *-  ' -e '^mlx5_2  *1  *InfiniBand  *ACTIVE  ' -e '^nvme0  *pcie  ' \
    -e '^IOMMU  *passthrough')" 5

# An AMD node: the driver has registered with the peer memory interface, whose place depends on the
# kernel; groups of both types translate.
for place in sys/kernel/mm sys/kernel sys; do
    machine amd-$(echo $place | tr / -)
    file proc/sys/kernel/osrelease 5.15.0-1
    file boot/config-5.15.0-1 "# CONFIG_PCI_P2PDMA is not set"
    file proc/modules "amdgpu 9000000 10 - Live 0x0000000000000000"
    file $place/memory_peers/amdkfd/version 1.0
    file sys/kernel/iommu_groups/0/type identity
    file sys/kernel/iommu_groups/1/type DMA-FQ
    run info --links --json
    equal "amd, $place: kernel ($err)" "$(get '[o[k] for k in ("iommu", "pci_p2pdma")]')" \
        "['translating', False]"
    equal "amd, $place: modules" "$(get '[m["name"] for m in o["modules"] if m["loaded"]]')" \
        "['amdgpu', 'amdkfd']"
done

# Groups whose type this kernel does not tell, and none at all.
machine untold
mkdir -p "$HEDDLE_LINKS_ROOT/sys/kernel/iommu_groups/0"
run info --links --json
equal "groups without a type ($err)" "$(get 'o["iommu"]')" on
machine off
mkdir -p "$HEDDLE_LINKS_ROOT/sys/kernel/iommu_groups"
run info --links --json
equal "no groups ($err)" "$(get 'o["iommu"]')" off
finish
