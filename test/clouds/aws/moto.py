"""Starts moto with a bucket and a function, prints its address and what it has, and runs until its input ends."""

import hashlib
import io
import json
import sys
import zipfile

import boto3
from moto.core.config import default_user_config
from moto.server import ThreadedMotoServer

# No function runs, so that no Docker is needed.
default_user_config["lambda"]["use_docker"] = False
REGION = "eu-central-1"

server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
server.start()
host, port = server.get_host_and_port()
url = f"http://{host}:{port}"


def client(service):
    keys = {"aws_access_key_id": "AKIDEXAMPLE", "aws_secret_access_key": "secret"}
    return boto3.client(service, region_name=REGION, endpoint_url=url, **keys)


s3 = client("s3")
s3.create_bucket(Bucket="site", CreateBucketConfiguration={"LocationConstraint": REGION})
content = {f"many/{number:04}": str(number) for number in range(1100)}
content |= {"a-b": "1", "a/c": "2", "odd/é + 100% & 'x'!*().txt": "3", "odd/<tag>\"quoted\"": "4", "空/日本": "5"}
for key, text in content.items():
    s3.put_object(Bucket="site", Key=key, Body=text.encode())
s3.put_object(Bucket="site", Key="empty/", Body=b"")
s3.put_bucket_tagging(
    Bucket="site", Tagging={"TagSet": [{"Key": "evidence:environment", "Value": "website"}]}
)

role = client("iam").create_role(RoleName="evidence", AssumeRolePolicyDocument="{}")["Role"]["Arn"]
archive = io.BytesIO()
with zipfile.ZipFile(archive, "w") as files:
    files.writestr("index.py", "def handler(event, context): pass")
package = archive.getvalue()
functions = client("lambda")
for number in range(60):
    functions.create_function(
        FunctionName=f"f{number}",
        Runtime="python3.12",
        Role=role,
        Handler="index.handler",
        Code={"ZipFile": package},
    )
client("ecs").create_cluster(clusterName="shop")

facts = {"url": url, "role": role, "content": content, "zip": hashlib.sha256(package).hexdigest()}
print(json.dumps(facts), flush=True)
sys.stdin.read()
server.stop()
